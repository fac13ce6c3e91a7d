import { useEffect, type RefObject } from 'react'

/** Elements that move when an element is added or removed above them. */
const movable = '.panel, li, article, tr, .entry-titled'
const glideMs = 160
/** A list counts as being scrolled for this long after the last scroll event. */
const scrollingMs = 200

/**
 * Animates the elements that a live change moves: when a row is added or removed, each moved element glides from its
 * old position to the new one.
 */
export function useSteady(container: RefObject<HTMLElement | null>) {
  useEffect(() => {
    const root = container.current
    if (!root) return
    let places = new Map<HTMLElement, Place>()
    const resized = new ResizeObserver(() => (places = placesIn(root)))

    const settle = () => {
      const before = places
      const moves: Move[] = []
      places = placesIn(root)
      for (const [element, place] of places) {
        const known = before.get(element)
        if (!known) resized.observe(element)
        else if (known.above === place.above && known.width === place.width) {
          moves.push({ element, left: known.left - place.left, top: known.top - place.top })
        }
      }
      for (const element of before.keys()) if (!places.has(element)) resized.unobserve(element)
      // Reads come before writes: a read after a write forces a new layout.
      moves.filter(isSeen).forEach(glide)
    }
    // The time of the last scroll event. A change is measured at once: before the callback of a frame, the browser may
    // lay out the page to find what is under the mouse pointer, and rows would be recorded at their new positions.
    // While a list is scrolled, no row is animated, so a change is measured once a frame.
    let scrolledAt = -Infinity
    let frame = 0
    const scrolled = () => (scrolledAt = performance.now())
    const changed = new MutationObserver(() => {
      cancelAnimationFrame(frame)
      if (performance.now() - scrolledAt < scrollingMs) frame = requestAnimationFrame(settle)
      else settle()
    })
    addEventListener('scroll', scrolled, { capture: true, passive: true })
    changed.observe(root, { childList: true, subtree: true, characterData: true })
    settle()
    return () => {
      removeEventListener('scroll', scrolled, { capture: true })
      cancelAnimationFrame(frame)
      changed.disconnect()
      resized.disconnect()
    }
  }, [container])
}

/** The position of an element relative to its nearest movable ancestor, or to the page. */
type Place = { above: Element | null; left: number; top: number; width: number }

/** Measures all movable elements. It runs after each change, so hundreds of rows must take only a part of a frame. */
function placesIn(root: HTMLElement) {
  const width = root.clientWidth
  const frames = new Map<Element | null, Frame>()
  const places = new Map<HTMLElement, Place>()
  for (const element of root.querySelectorAll<HTMLElement>(movable)) {
    const parent = element.parentElement
    let frame = frames.get(parent)
    if (!frame) frames.set(parent, (frame = frameOf(element)))
    const left = element.offsetLeft - frame.left
    places.set(element, { above: frame.above, left, top: element.offsetTop - frame.top, width })
  }
  return places
}

/** The nearest movable ancestor of an element, and that ancestor's position: the same for all children of a parent. */
type Frame = Pick<Place, 'above' | 'left' | 'top'>

function frameOf(element: HTMLElement): Frame {
  const above = element.parentElement?.closest<HTMLElement>(movable) ?? null
  const inside = above?.offsetParent === element.offsetParent ? above : null
  return { above, left: inside?.offsetLeft ?? 0, top: inside?.offsetTop ?? 0 }
}

/** The distance that an element has moved. */
type Move = { element: HTMLElement; left: number; top: number }

/** Whether a move is visible. Of a thousand moving rows, only the visible rows are animated. */
function isSeen({ element, left, top }: Move): boolean {
  if (left === 0 && top === 0) return false
  const now = element.getBoundingClientRect()
  if (now.bottom + Math.max(top, 0) < 0 || now.top + Math.min(top, 0) > window.innerHeight) return false
  // In a scrolled list, the browser's scroll anchoring keeps the rows in place.
  return (element.closest('.scroll-region, .records')?.scrollTop ?? window.scrollY) <= 0
}

function glide({ element, left, top }: Move) {
  const still = matchMedia('(prefers-reduced-motion: reduce)').matches
  element.animate([{ transform: `translate(${left}px, ${top}px)` }, { transform: 'none' }], {
    duration: still ? 1 : glideMs,
    easing: 'cubic-bezier(.2, .8, .2, 1)',
    // A running animation continues from its current position.
    composite: 'add',
  })
}
