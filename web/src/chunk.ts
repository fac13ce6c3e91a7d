import { lazy, type FunctionComponent } from 'react'
import { reload } from '@/load-anew'

const pauseMs = 2_000
/** A second failure within this time is that of a defect: another load of the page would not help. */
const oncePerMs = 60_000
const reloadedAt = 'chunk-reloaded-at'

/**
 * A component in a chunk of its own, loaded when it is first rendered. If the chunk cannot be loaded, nothing is shown
 * in its place, and the page is loaded again as soon as the server answers: browsers and Vite keep the failure, and
 * after an update the chunk has another name.
 */
export const chunk = <P>(load: () => Promise<FunctionComponent<P>>) =>
  lazy(async () => ({ default: await load().catch(reloadPage) }))

/** A component that its page can do without. If its chunk cannot be loaded, nothing is shown in its place. */
export const spareChunk = <P>(load: () => Promise<FunctionComponent<P>>) =>
  lazy(async () => ({ default: await load().catch((): FunctionComponent<P> => () => null) }))

/** Loads the page again when the server answers. Rejects with the cause if that was done within the last minute. */
async function reloadPage(cause: unknown): Promise<never> {
  if (Date.now() - Number(sessionStorage.getItem(reloadedAt)) < oncePerMs) throw cause
  while (!(await answers())) await new Promise((over) => setTimeout(over, pauseMs))
  sessionStorage.setItem(reloadedAt, String(Date.now()))
  reload()
  return new Promise(() => undefined) // React waits until the page is gone.
}

const answers = () =>
  fetch(location.pathname, { method: 'HEAD', cache: 'no-store' }).then(
    ({ ok }) => ok,
    () => false,
  )
