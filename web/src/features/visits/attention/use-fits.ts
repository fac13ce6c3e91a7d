import { useEffect, useState, type RefObject } from 'react'

/** The gap between two entries, as in attention.css. */
const gap = 8
/** The width of the button after the entries, until it is drawn. */
const moreWidth = 100

type Drawn = {
  /** A text that changes when other entries are drawn. */
  key: string
  /** Whether there are more entries than are drawn. */
  rest: boolean
}

/**
 * Returns how many of a line's entries fit into it, at least one. The other entries are drawn out of the flow, so that
 * their widths are known when there is room again.
 */
export function useFits(line: RefObject<HTMLElement | null>, { key, rest }: Drawn): number {
  const [fits, setFits] = useState(Infinity)
  useEffect(() => {
    const element = line.current
    if (!element) return
    const resized = new ResizeObserver(() => setFits(fitsIn(element, rest)))
    resized.observe(element)
    for (const entry of element.querySelectorAll('li')) resized.observe(entry)
    return () => resized.disconnect()
  }, [line, key, rest])
  return fits
}

function fitsIn(line: HTMLElement, rest: boolean): number {
  const entries = [...line.querySelectorAll<HTMLElement>('li')]
  const more = gap + (line.querySelector<HTMLElement>(':scope > button')?.offsetWidth ?? moreWidth)
  let width = -gap
  let fits = 0
  for (const { offsetWidth } of entries) {
    width += gap + offsetWidth
    const isLast = fits === entries.length - 1 && !rest
    if (width + (isLast ? 0 : more) > line.clientWidth) break
    fits += 1
  }
  return Math.max(1, fits)
}
