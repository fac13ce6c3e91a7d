import { useVirtualizer } from '@tanstack/react-virtual'
import { useRef, type CSSProperties, type RefObject } from 'react'

/** A row of the ledger with its padding and rule; one that is higher is measured when it is drawn. */
const rowHeight = 62
/** Rows drawn beyond either edge of what is seen: a turn of the wheel shows no gap. */
const beyond = 8
/** The greatest height of a list that scrolls, until it is measured. */
const regionHeight = 600

type Window = {
  list: { ref: RefObject<HTMLUListElement | null>; style: CSSProperties }
  /** Which rows to draw, in their order. */
  drawn: readonly number[]
  /** The `ref` of each drawn row, which carries its index as `data-index`. */
  measure: (row: HTMLElement | null) => void
}

/**
 * Which of many rows stand in the part of a scroll region that is seen, and the list's room above and below them: a
 * thousand rows cost as little as the first screenful, while the list is as long as all of them.
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
    // Scrolling stays smooth when a row comes a frame late: there are more beyond the edge.
    useFlushSync: false,
  })
  // The browser itself keeps what is read in its place when a row above it comes or grows.
  rows.shouldAdjustScrollPositionOnItemSizeChange = () => false

  const shown = rows.getVirtualItems()
  const style = {
    paddingTop: shown.at(0)?.start ?? 0,
    paddingBottom: rows.getTotalSize() - (shown.at(-1)?.end ?? 0),
  }
  return { list: { ref, style }, drawn: shown.map(({ index }) => index), measure: rows.measureElement }
}
