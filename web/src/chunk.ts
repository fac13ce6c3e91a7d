import { lazy, type FunctionComponent } from 'react'
import { reload } from '@/load-anew'
import { read, tabKeys, write } from '@/storage'
import { report } from '@/telemetry/report'

const pauseMs = 2_000
/** The page is loaded again at most once in this time: if a chunk fails again, another load would not help. */
const oncePerMs = 60_000

/**
 * A component in a chunk of its own, loaded when it is first rendered. If the chunk cannot be loaded, nothing is shown
 * in its place, and the page is loaded again as soon as the server answers: browsers and Vite keep the failure, and
 * after an update the chunk has another name.
 */
export const chunk = <P>(load: () => Promise<FunctionComponent<P>>) =>
  lazy(async () => ({ default: await load().catch(reloadPage) }))

let leaving: Promise<never> | undefined

const reloadPage = (cause: unknown) => (leaving ??= reloadOnce(cause))

/** Loads the page again when the server answers. It never settles: React would remove the whole page after an error. */
async function reloadOnce(cause: unknown): Promise<never> {
  while (!(await answers())) await new Promise((over) => setTimeout(over, pauseMs))
  const [last, now] = [read(tabKeys.reloaded), String(Date.now())]
  write(tabKeys.reloaded, now)
  // Without storage the page could be loaded again and again.
  if (Math.abs(Number(now) - Number(last)) > oncePerMs && read(tabKeys.reloaded) === now) reload()
  else report.error(cause)
  return new Promise(() => undefined)
}

const answers = () =>
  fetch(location.pathname, { method: 'HEAD', cache: 'no-store', signal: AbortSignal.timeout(pauseMs) }).then(
    ({ ok }) => ok,
    () => false,
  )
