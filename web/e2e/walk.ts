import type { Page } from '@playwright/test'

/** The focused element, and what is wrong with it for a user who sees the page. */
export type Stop = { what: string; objections: string[] }

type Walk = { seen: Set<Element>; last?: Element; ring?: () => boolean }

/** Moves the focus so that the next Tab reaches the page's first stop. */
export async function beginWalk(page: Page) {
  await page.evaluate(async () => {
    // This waits, because a page may set the focus itself after it is drawn.
    await new Promise((idle) => requestIdleCallback(idle, { timeout: 2_000 }))
    window.walk = { seen: window.walk?.seen ?? new Set() }
    document.getElementById('walk')?.remove()
    const start = Object.assign(document.createElement('span'), { id: 'walk', tabIndex: -1 })
    document.body.prepend(start)
    start.focus()
    window.scrollTo(0, 0)
  })
}

/**
 * Checks the element that has the focus. Returns null if nothing is wrong and the walk has ended: the focus has left
 * the page, or the element was visited before.
 */
export const lookAround = (page: Page): Promise<Stop | null> =>
  page.evaluate(async () => {
    const walk = (window.walk ??= { seen: new Set() })
    await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))
    await Promise.allSettled(document.getAnimations().map(({ finished }) => finished))
    const element = document.activeElement
    const objections: string[] = []
    // The parts of a date input are separate stops, but one element.
    if (element === walk.last && element.matches('[type=date]')) return { what: nameOf(element), objections }
    // Whether the previous stop had a focus ring can be seen only now: its style must have changed when the focus left
    // it.
    if (walk.ring && !walk.ring())
      objections.push(`nothing showed that the keyboard was at ${nameOf(walk.last)}`)
    delete walk.ring
    if (!element || element === document.body || walk.seen.has(element))
      return objections.length > 0 ? { what: 'the end', objections } : null
    walk.seen.add(element)

    const shown = shownOf(element)
    const box = shown.getBoundingClientRect()
    walk.ring = ringOf(element)
    objections.push(...coveredBy(shown, box))
    if (walk.last) objections.push(...disorder(walk.last, element))
    walk.last = element
    return { what: nameOf(element), objections }

    function nameOf(element: Element | undefined) {
      if (!element) return 'nothing'
      const words = element.getAttribute('aria-label') ?? element.textContent.trim()
      const label = (element as HTMLInputElement).labels?.[0]?.textContent.trim() ?? ''
      return `${element.tagName.toLowerCase()} "${(words || label).slice(0, 50)}"`
    }

    /**
     * What is visible of an input: a radio button or a checkbox may itself be invisible, and drawn by an element beside
     * or around it.
     */
    function shownOf(element: Element): Element {
      if (!(element instanceof HTMLInputElement)) return element
      const { width, height } = element.getBoundingClientRect()
      if (width > 4 && height > 4 && getComputedStyle(element).opacity !== '0') return element
      return element.closest('.ant-checkbox, label, .ant-select') ?? element.nextElementSibling ?? element
    }

    function ringOf(element: Element) {
      const around = [element, element.nextElementSibling, element.firstElementChild]
      for (let above = element.parentElement; above && around.length < 7; above = above.parentElement)
        around.push(above)
      const drawn = () =>
        around.map((one) => {
          if (!one) return ''
          const { outlineStyle, outlineWidth, outlineColor, boxShadow } = getComputedStyle(one)
          return outlineStyle === 'none'
            ? boxShadow
            : `${outlineStyle} ${outlineWidth} ${outlineColor} ${boxShadow}`
        })
      const focused = drawn()
      // An area that contains both stops may show the focus. Its style is the same at both.
      const stays = (one: Element | null | undefined, style: string | undefined) =>
        one?.contains(document.activeElement) && !/^(none|0px)*$/.test(style ?? '')
      return () =>
        drawn().some((style, index) => style !== focused[index] || stays(around[index], focused[index]))
    }

    function coveredBy(shown: Element, box: DOMRect) {
      if (box.width < 4 || box.height < 4) return [`it is ${box.width} x ${box.height} px`]
      const tall = box.height > innerHeight / 2
      const inside = { top: Math.max(box.top, 0), bottom: Math.min(box.bottom, innerHeight) }
      if (inside.bottom - inside.top < (tall ? innerHeight / 3 : box.height - 1))
        return ['it is not in the window']
      const over = new Set<string>()
      for (const y of [inside.top + 2, (inside.top + inside.bottom) / 2, inside.bottom - 2])
        for (const x of [box.left + 2, (box.left + box.right) / 2, box.right - 2]) {
          const hit = document.elementFromPoint(x, y)
          if (!hit || shown.contains(hit) || hit.contains(shown)) continue
          // A line of text may be shorter than its box, so the point may be beside it. Only floating elements can cover
          // the text.
          for (let one: Element | null = hit; one && !one.contains(shown); one = one.parentElement)
            if (['sticky', 'fixed'].includes(getComputedStyle(one).position))
              over.add(one.className || one.tagName)
        }
      return tall ? [] : [...over].map((name) => `${name} covers it`)
    }

    /** The box of an element. If `other` is outside the element's scroll container, it is the box of that container. */
    function boxBeside(element: Element, other: Element): DOMRect {
      let box = shownOf(element).getBoundingClientRect()
      for (let above = element.parentElement; above && !above.contains(other); above = above.parentElement)
        if (['auto', 'scroll'].includes(getComputedStyle(above).overflowY))
          box = above.getBoundingClientRect()
      return box
    }

    function isFixedBeside(element: Element, other: Element) {
      for (let one: Element | null = element; one && !one.contains(other); one = one.parentElement)
        if (getComputedStyle(one).position === 'fixed') return true
      return false
    }

    /**
     * What is wrong with the order of two stops. The focus must move from left to right, then down; a column follows
     * the column on its left.
     */
    function disorder(last: Element, next: Element) {
      const follows = (one: Element, after: Element) =>
        Boolean(after.compareDocumentPosition(one) & Node.DOCUMENT_POSITION_FOLLOWING)
      // If a dialog focuses its first field, the walk begins there, and continues later at the start of the dialog.
      if ([...walk.seen].every((one) => one === next || follows(one, next))) return []
      if (!follows(next, last)) return [`it comes before ${nameOf(last)}`]
      // A fixed bar stays in place while the page is scrolled, so it has no place in the order.
      if (isFixedBeside(last, next) || isFixedBeside(next, last)) return []
      const [from, to] = [boxBeside(last, next), boxBeside(next, last)]
      const isAbove = to.bottom <= from.top + 1
      const isLeft = to.right <= from.left + 1
      const height = Math.min(to.bottom - to.top, from.bottom - from.top)
      const sameLine = Math.min(to.bottom, from.bottom) - Math.max(to.top, from.top) > height / 2
      const isBack = (isAbove && to.left < from.right) || (sameLine && isLeft)
      return isBack ? [`${nameOf(last)} is read after it`] : []
    }
  })

/** The focusable elements that the walk has not reached. */
export const leftOut = (page: Page, within = 'body'): Promise<string[]> =>
  page.evaluate((within) => {
    const seen = window.walk?.seen ?? new Set()
    const groups = new Set(
      [...seen].map((one) => one instanceof HTMLInputElement && one.type === 'radio' && one.name),
    )
    return [
      ...document.querySelectorAll<HTMLElement>(
        `${within} :is(a[href], button, input, select, textarea, [tabindex])`,
      ),
    ]
      .filter(
        (one) => one.tabIndex >= 0 && !one.matches(':disabled, [aria-hidden=true], [aria-hidden=true] *'),
      )
      .filter((one) => one.checkVisibility({ visibilityProperty: true }) && !one.closest('[inert]'))
      .filter(
        (one) =>
          !seen.has(one) &&
          !(one instanceof HTMLInputElement && one.type === 'radio' && groups.has(one.name)),
      )
      .map(({ tagName, className, textContent }) => `${tagName}.${className} ${textContent}`.slice(0, 120))
  }, within)

declare global {
  // eslint-disable-next-line @typescript-eslint/consistent-type-definitions -- only an interface can be merged
  interface Window {
    walk?: Walk
  }
}
