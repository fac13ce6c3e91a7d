import '@testing-library/jest-dom/vitest'
import { cleanup } from '@testing-library/react'
import { configure } from '@testing-library/dom'
import { afterAll, afterEach, beforeAll } from 'vitest'
import office from 'virtual:office'
import { server } from './server'

// As in index.html.
const block = Object.assign(document.createElement('script'), { type: 'application/json', id: 'office' })
block.textContent = JSON.stringify(office)
document.head.append(block)

// jsdom has no layout: Ant Design and the theme only need these to exist.
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
// A list that draws what is in sight has sight of a screenful.
Object.defineProperty(HTMLElement.prototype, 'clientHeight', {
  get(this: HTMLElement) {
    return this.classList.contains('scroll-region') ? 600 : 0
  },
})

// Two shared cores and a cold module graph: what is awaited may take longer than the library's second.
configure({ asyncUtilTimeout: 20_000 })

beforeAll(() => server.listen({ onUnhandledFrame: 'error' }))
afterEach(() => {
  cleanup()
  server.resetHandlers()
  localStorage.clear()
  sessionStorage.clear()
})
afterAll(() => server.close())
