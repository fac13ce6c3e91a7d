import type { Page } from '@playwright/test'

/**
 * Elements whose texts are not meant to be read: texts that are drawn over an edge on purpose, those in the picture of
 * a ticket, and placeholders.
 */
const decoration = '.vertical-ticket-micro, .ld-hero-tickets, .skeleton'

/**
 * The texts that a reader or a screen reader gets, except those marked as English (`lang="en"`) or as names
 * (`translate="no"`).
 */
export const textsOf = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const kept = '[lang|="en"]:not(html), [translate="no"], script, style, noscript'
    const attributes = ['aria-label', 'aria-description', 'placeholder', 'title', 'alt']
    const texts: string[] = document.querySelector('main > [lang|="en"]:only-child') ? [] : [document.title]
    for (const element of document.body.querySelectorAll('*')) {
      if (element.closest(kept) || !element.checkVisibility({ visibilityProperty: true })) continue
      // A screen reader does not read the parts of a picture.
      if (!element.parentElement?.closest('[role="img"]'))
        for (const name of attributes) texts.push(element.getAttribute(name) ?? '')
      // A screen reader reads an option's label instead of its content.
      if (element.matches('[role="option"][aria-label]')) continue
      for (const node of element.childNodes)
        if (node.nodeType === Node.TEXT_NODE) texts.push(node.textContent ?? '')
    }
    return texts.map((text) => text.trim()).filter((text) => text !== '')
  })

/** A text on the page, and how it is cut off. */
type Text = { text: string; fault?: string }

/** The faults of the page: texts and placeholders that are cut off, and boxes that scroll sideways. */
export const cutOff = (page: Page): Promise<string[]> =>
  page.evaluate((drawnOver) => {
    const found: Text[] = []
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const text = node.textContent?.trim() ?? ''
      const parent = node.parentElement
      if (text === '' || !parent?.checkVisibility({ visibilityProperty: true, opacityProperty: true }))
        continue
      const fault = parent.closest(drawnOver) ? undefined : faultOf(node, parent)
      if (fault) found.push({ text, fault })
    }
    const texts = found.map(({ text, fault }) => `${fault}: ${text.slice(0, 60)}`)
    return [...sideways(), ...placeholders(), ...new Set(texts)]

    function faultOf(node: Node, parent: Element): string | undefined {
      const range = document.createRange()
      range.selectNodeContents(node)
      const drawn = range.getBoundingClientRect()
      // The link to the content is above the page until it has the focus.
      if (drawn.width < 2 || drawn.bottom + scrollY <= 0) return undefined
      for (let box: Element | null = parent; box && box !== document.body; box = box.parentElement) {
        const style = getComputedStyle(box)
        const edge = box.getBoundingClientRect()
        // This text is for screen readers only.
        if (edge.width <= 1 || style.clipPath !== 'none') return undefined
        if (/auto|scroll/.test(style.overflowX)) return undefined
        if (style.textOverflow === 'ellipsis' && box.getAttribute('title') === node.textContent)
          return undefined
        // Names are cut off with an ellipsis on purpose: their title, or the list itself, has the whole name.
        const clips = /hidden|clip/.test(style.overflowX) && !box.closest('[translate="no"]')
        const framed = box.matches('button, .ant-tag, .ant-segmented-item-label, .status-tag')
        if (style.display !== 'inline' && (clips || framed) && beyond(drawn, edge))
          return `cut off by ${nameOf(box)}`
        if (style.position === 'fixed') break
      }
      if (drawn.width < 40 && drawn.height > 100) return 'squeezed'
      return drawn.right > innerWidth + 1 || drawn.left < -1 ? 'outside the window' : undefined
    }

    function beyond(drawn: DOMRect, edge: DOMRect) {
      const half = drawn.height / 2
      const aside = drawn.right > edge.right + 1 || drawn.left < edge.left - 1
      return aside || drawn.top < edge.top - half || drawn.bottom > edge.bottom + half
    }

    /** Returns the page, its lists and its dialogs if they can scroll sideways. They may only scroll down. */
    function sideways() {
      const { scrollWidth, clientWidth } = document.documentElement
      const boxes = [...document.querySelectorAll('.scroll-region, .dialog-region, .ant-modal-body')].filter(
        (box) => box.checkVisibility() && box.scrollWidth > box.clientWidth + 1,
      )
      return [
        ...(scrollWidth > clientWidth ? [`the page is ${scrollWidth} px wide`] : []),
        ...boxes.map((box) => `${nameOf(box)} scrolls sideways`),
      ]
    }

    function placeholders() {
      const pen = document.createElement('canvas').getContext('2d')
      return [...document.querySelectorAll<HTMLInputElement>('input[placeholder]')].flatMap((input) => {
        const style = getComputedStyle(input)
        if (!pen || input.value !== '' || !input.checkVisibility()) return []
        pen.font = `${style.fontWeight} ${style.fontSize} ${style.fontFamily}`
        const room = input.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight)
        const cut = pen.measureText(input.placeholder).width > room + 1
        return cut ? [`cut off by its input: ${input.placeholder}`] : []
      })
    }

    function nameOf(box: Element) {
      return `${box.tagName.toLowerCase()}.${[...box.classList].join('.')}`
    }
  }, decoration)

/** Whether the text in a fault of `cutOff` is data: a whole text, or the first 60 characters of one. */
export function isCutData(fault: string, data: readonly string[]): boolean {
  const cut = fault.slice(fault.indexOf(': ') + 2)
  return data.some((text) => text.trim() === cut || (cut.length === 60 && text.trim().startsWith(cut)))
}
