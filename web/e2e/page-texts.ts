import type { Page } from '@playwright/test'

/** A text as drawn, with how it is cut off, if it is. */
type Text = { text: string; fault?: string }

/**
 * The texts that a reader or a screen reader gets, but those that are marked as English (`lang="en"`) or as names
 * (`translate="no"`).
 */
export const textsOf = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const kept = '[lang|="en"]:not(html), [translate="no"], script, style, noscript'
    const attributes = ['aria-label', 'aria-description', 'placeholder', 'title', 'alt']
    const texts: string[] = [document.title]
    for (const element of document.body.querySelectorAll('*')) {
      if (element.closest(kept) || !element.checkVisibility({ visibilityProperty: true })) continue
      for (const name of attributes) texts.push(element.getAttribute(name) ?? '')
      for (const node of element.childNodes)
        if (node.nodeType === Node.TEXT_NODE) texts.push(node.textContent ?? '')
    }
    return texts.map((text) => text.trim()).filter((text) => text !== '')
  })

/** The texts that are cut off by a box or by the window, and the page itself if it scrolls sideways. */
export const cutOff = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const found: Text[] = []
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const text = node.textContent?.trim() ?? ''
      const parent = node.parentElement
      if (text === '' || !parent?.checkVisibility({ visibilityProperty: true, opacityProperty: true }))
        continue
      const fault = faultOf(node, parent)
      if (fault) found.push({ text, fault })
    }
    const { scrollWidth, clientWidth } = document.documentElement
    const sideways = scrollWidth > clientWidth ? [`the page is ${scrollWidth} px wide`] : []
    return [...sideways, ...new Set(found.map(({ text, fault }) => `${fault}: ${text.slice(0, 60)}`))]

    function faultOf(node: Node, parent: Element): string | undefined {
      const range = document.createRange()
      range.selectNodeContents(node)
      const drawn = range.getBoundingClientRect()
      if (drawn.width < 2) return undefined
      for (let box: Element | null = parent; box && box !== document.body; box = box.parentElement) {
        const style = getComputedStyle(box)
        const edge = box.getBoundingClientRect()
        // A text for screen readers.
        if (edge.width <= 1 || style.clipPath !== 'none') return undefined
        if (/auto|scroll/.test(style.overflowX)) return undefined
        // A name is cut off with an ellipsis on purpose; its title or its list has the rest.
        const clips = /hidden|clip/.test(style.overflowX) && !box.closest('[translate="no"]')
        const framed = box.matches('button, .ant-tag, .ant-segmented-item-label')
        if (style.display !== 'inline' && (clips || framed) && beyond(drawn, edge))
          return `cut off by ${nameOf(box)}`
        if (style.position === 'fixed') break
      }
      return drawn.right > innerWidth + 1 || drawn.left < -1 ? 'outside the window' : undefined
    }

    function beyond(drawn: DOMRect, edge: DOMRect) {
      const half = drawn.height / 2
      const sideways = drawn.right > edge.right + 1 || drawn.left < edge.left - 1
      return sideways || drawn.top < edge.top - half || drawn.bottom > edge.bottom + half
    }

    function nameOf(box: Element) {
      return `${box.tagName.toLowerCase()}.${[...box.classList].join('.')}`
    }
  })
