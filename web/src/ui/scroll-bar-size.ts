/**
 * Replaces the module of the same purpose in Ant Design's tools (see build/scroll-bar-size.ts), which measures with a
 * style element that has no nonce: the content security policy blocks it and logs an error.
 */
type Size = { width: number; height: number }

let measured: Size | undefined

function measure(): Size {
  const probe = document.createElement('div')
  Object.assign(probe.style, {
    position: 'absolute',
    top: '-200px',
    width: '100px',
    height: '100px',
    overflow: 'scroll',
  })
  document.body.append(probe)
  const size = {
    width: probe.offsetWidth - probe.clientWidth,
    height: probe.offsetHeight - probe.clientHeight,
  }
  probe.remove()
  return size
}

/** The width of a scroll bar in this browser. */
export default function getScrollBarSize(fresh = false): number {
  if (fresh || measured === undefined) measured = measure()
  return measured.width
}

/** The width and height of the scroll bars of an element. They are the same for all elements of these pages. */
export function getTargetScrollBarSize(target: unknown): Size {
  if (!(target instanceof Element)) return { width: 0, height: 0 }
  measured ??= measure()
  return measured
}
