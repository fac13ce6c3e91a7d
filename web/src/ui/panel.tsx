import { useId, useLayoutEffect, useRef, type ReactNode, type RefObject } from 'react'
import { grouped } from '@/messages'
import './panel.css'

type Props = {
  title: string
  /** The number of entries that the panel lists, or a few words about them. */
  count?: number | string | undefined
  extra?: ReactNode
  className?: string
  /** Whether the title is hidden visually, because the tab above shows the same one. */
  untitled?: boolean
  children: ReactNode
}

/** A titled panel of a dashboard, with an optional count beside the title. */
export function Panel({ title, count, extra, className, untitled = false, children }: Props) {
  const id = useId()
  return (
    <section className={className ? `panel ${className}` : 'panel'} aria-labelledby={id}>
      <div className={untitled ? 'visually-hidden' : 'panel-head'}>
        <h2 id={id}>{title}</h2>
        {count === undefined ? null : <span className="panel-count">{grouped(count)}</span>}
        {extra ? <div className="panel-extra">{extra}</div> : null}
      </div>
      {children}
    </section>
  )
}

export function PanelBody({ children }: { children: ReactNode }) {
  return <div className="panel-body">{children}</div>
}

/**
 * The least distance, in pixels, from the top of a region to the bottom of the window. In less room, the region has the
 * maximum height of its style.
 */
const leastRoom = 240

/**
 * The distance of an element from the top of the page, as laid out. A bounding rectangle would include the transform of
 * a running animation.
 */
function topOf(element: HTMLElement): number {
  const { offsetTop, offsetParent } = element
  return offsetParent instanceof HTMLElement
    ? offsetTop + offsetParent.clientTop + topOf(offsetParent)
    : offsetTop
}

/**
 * Sets `--top`, the distance of a scroll region from the top of the page, so that the region ends in the window,
 * above the shelf.
 */
export function useTop(ref: RefObject<HTMLElement | null>) {
  useLayoutEffect(() => {
    const region = ref.current
    const page = region?.closest('main')
    if (!region || !page) return undefined
    const measure = () => {
      const top = topOf(region)
      if (innerHeight - top < leastRoom) region.style.removeProperty('--top')
      else region.style.setProperty('--top', `${top}px`)
    }
    const resized = new ResizeObserver(measure)
    const changed = new MutationObserver((changes) => {
      if (changes.some(({ target }) => !region.contains(target))) measure()
    })
    resized.observe(page)
    changed.observe(page, { childList: true, subtree: true })
    addEventListener('resize', measure)
    measure()
    return () => {
      resized.disconnect()
      changed.disconnect()
      removeEventListener('resize', measure)
    }
  }, [ref])
}

/** A list that scrolls beyond its maximum height, also by keyboard. */
export function ScrollRegion({
  label,
  tall = false,
  children,
}: {
  label: string
  tall?: boolean
  children: ReactNode
}) {
  const region = useRef<HTMLDivElement>(null)
  useTop(region)
  return (
    <div
      ref={region}
      className={tall ? 'scroll-region scroll-region-tall' : 'scroll-region'}
      tabIndex={0}
      role="group"
      aria-label={label}
    >
      {children}
    </div>
  )
}

/** The scrollable content of a drawer or dialog without focusable elements: reachable by keyboard. */
export function DialogRegion({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="dialog-region" tabIndex={0} role="group" aria-label={label}>
      {children}
    </div>
  )
}
