import { useVirtualizer } from '@tanstack/react-virtual'
import { useRef, type CSSProperties, type RefObject } from 'react'

/** The height of a ledger row with padding and rule; taller rows are measured when they are drawn. */
const rowHeight = 62
/** Rows drawn beyond either edge of the viewport, so that scrolling shows no gap. */
const beyond = 8
/** The maximum height of a scrolling list, until it is measured. */
const regionHeight = 600

type Window = {
  list: { ref: RefObject<HTMLUListElement | null>; style: CSSProperties }
  /** The rows to draw, in order. */
  drawn: readonly number[]
  /** The `ref` of each drawn row, which carries its index as `data-index`. */
  measure: (row: HTMLElement | null) => void
  scrollTo: (index: number) => void
}

/**
 * Returns which of many rows are in the viewport of a scroll region, and the padding that replaces the rows above and
 * below: only these rows are rendered, while the list keeps its full height.
 */
export function useWindow(total: number, keyOf: (index: number) => string): Window {
  const ref = useRef<HTMLUListElement>(null)
  // eslint-disable-next-line react-hooks/incompatible-library -- a rule for React's compiler, which we do not use
  const rows = useVirtualizer<HTMLElement, HTMLElement>({
    count: total,
    getItemKey: keyOf,
    getScrollElement: () => ref.current?.closest<HTMLElement>('.scroll-region') ?? null,
    estimateSize: () => rowHeight,
    overscan: beyond,
    initialRect: { width: 0, height: regionHeight },
    // Rows may be drawn a frame late, which keeps scrolling smooth. The overscan rows prevent a gap meanwhile.
    useFlushSync: false,
  })
  // The browser's scroll anchoring keeps the visible rows in place when a row above them is added or grows.
  rows.shouldAdjustScrollPositionOnItemSizeChange = () => false

  const shown = rows.getVirtualItems()
  const style = {
    paddingTop: shown.at(0)?.start ?? 0,
    paddingBottom: rows.getTotalSize() - (shown.at(-1)?.end ?? 0),
  }
  return {
    list: { ref, style },
    drawn: shown.map(({ index }) => index),
    measure: rows.measureElement,
    scrollTo: (index) => rows.scrollToIndex(index),
  }
}
