import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { startShell } from '@/offline/shell'
import { startWorker } from './board/worker'

class Worker extends EventTarget {
  state = 'installed'
  posted: unknown[] = []
  postMessage = (message: unknown) => this.posted.push(message)
}

class Registration extends EventTarget {
  waiting: Worker | null = null
  installing: Worker | null = null
  update = () => Promise.resolve()
}

/** Stands for `navigator.serviceWorker` in a page that no service worker has controlled so far. */
class Container extends EventTarget {
  controller: Worker | null = null
  readonly registration = new Registration()
  readonly ready = Promise.resolve({ active: new Worker() })
  register = () => Promise.resolve(this.registration)
  getRegistration = this.register

  takesOver() {
    this.controller = new Worker()
    this.dispatchEvent(new Event('controllerchange'))
  }
}

const reload = vi.fn()
let container: Container

beforeEach(() => {
  vi.useFakeTimers()
  container = new Container()
  reload.mockReset()
  vi.stubGlobal('location', { origin: location.origin, reload })
  Object.defineProperty(navigator, 'serviceWorker', { configurable: true, value: container })
})

afterEach(() => {
  vi.clearAllTimers()
  vi.useRealTimers()
  vi.unstubAllGlobals()
  Reflect.deleteProperty(navigator, 'serviceWorker')
})

test('a board that was paired just now loads a new build once it is idle', async () => {
  let idle = false
  startWorker(() => idle)
  container.takesOver()
  await vi.advanceTimersByTimeAsync(600_000)
  expect(reload).not.toHaveBeenCalled()
  container.takesOver()
  await vi.advanceTimersByTimeAsync(600_000)
  expect(reload).not.toHaveBeenCalled()
  idle = true
  await vi.advanceTimersByTimeAsync(60_000)
  expect(reload).toHaveBeenCalled()
})

test('a desk that was paired just now offers a new build, and loads it when it is taken', async () => {
  startShell()
  container.takesOver()
  await vi.advanceTimersByTimeAsync(0)
  expect(reload).not.toHaveBeenCalled()
  container.takesOver()
  expect(reload).toHaveBeenCalledTimes(1)
})
