import { useEffect, useRef, useState, type ReactNode } from 'react'

/** Rows drawn at once: more than a window shows, few enough that a slow processor is not held up. */
const step = 50

/**
 * How many of many rows to draw, and the mark to put after the last of them: when it comes near the window, more are
 * drawn. A thousand rows then cost as little as the first screenful, and every row is an ordinary element.
 */
export function useSlice(total: number): { end: number; sentinel: ReactNode } {
  const [end, setEnd] = useState(step)
  const mark = useRef<HTMLLIElement>(null)
  const more = end < total

  useEffect(() => {
    const element = mark.current
    if (!element || !more) return
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (entry?.isIntersecting) setEnd((drawn) => drawn + step)
      },
      { root: element.closest('.scroll-region'), rootMargin: '800px' },
    )
    observer.observe(element)
    return () => observer.disconnect()
    // After each step the mark stands elsewhere: it is looked at again.
  }, [end, more])

  return { end, sentinel: more ? <li ref={mark} className="slice-mark" aria-hidden="true" /> : null }
}
