import '@testing-library/jest-dom/vitest'
import { cleanup } from '@testing-library/react'
import { configure } from '@testing-library/dom'
import { afterAll, afterEach, beforeAll } from 'vitest'
import office from 'virtual:office'
import { server } from './server'

// As in index.html.
const block = Object.assign(document.createElement('script'), { type: 'application/json', id: 'office' })
block.textContent = JSON.stringify(office)
document.getElementById('office')?.remove()
document.head.append(block)

// jsdom has no layout. Ant Design and the theme only need these functions to exist.
const nothing = () => undefined
window.matchMedia = (query) =>
  Object.assign(new EventTarget(), {
    matches: false,
    media: query,
    onchange: null,
    addListener: nothing,
    removeListener: nothing,
  })
window.ResizeObserver = class {
  observe = nothing
  unobserve = nothing
  disconnect = nothing
}
window.scrollTo = nothing
// jsdom's own function stops drawing if a focused element is removed while a test has replaced the timers.
window.requestAnimationFrame = (draw) => window.setTimeout(() => draw(performance.now()), 16)
window.cancelAnimationFrame = (handle) => window.clearTimeout(handle)
// A test may hold a response for long, so no request times out. Tests of a timeout replace this function.
AbortSignal.timeout = () => new AbortController().signal
// jsdom has no beacons, and a test may last until the page reports measurements.
navigator.sendBeacon = () => true
// jsdom has no layout, so nothing is scrolled.
Element.prototype.scrollIntoView = () => undefined
// Virtual lists get a viewport of one screen.
Object.defineProperty(HTMLElement.prototype, 'clientHeight', {
  configurable: true,
  get(this: HTMLElement) {
    return this.classList.contains('scroll-region') ? 600 : 0
  },
})

// On two shared cores with a cold module graph, waiting may take longer than the library's default of a second.
configure({ asyncUtilTimeout: 60_000 })

beforeAll(() => server.listen({ onUnhandledFrame: 'error' }))
afterEach(() => {
  cleanup()
  server.resetHandlers()
  localStorage.clear()
  sessionStorage.clear()
})
afterAll(() => server.close())
