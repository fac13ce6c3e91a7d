import { inBackground } from '@/in-background'
import { onNewBuild } from '@/new-build'

/**
 * Registers the service worker, which lets the board start without the server, and sends it the list of files
 * that this page uses. A new build is loaded as soon as the board is idle.
 */
export function startWorker(isIdle: () => boolean) {
  if (!('serviceWorker' in navigator)) return
  const { serviceWorker } = navigator
  let timer: ReturnType<typeof setInterval> | undefined
  // The page and the files of a new build are replaced together.
  onNewBuild(serviceWorker, () => {
    timer ??= setInterval(() => {
      if (isIdle()) location.reload()
    }, idleCheckMs)
  })
  addEventListener('load', () => inBackground(register(serviceWorker)))
}

const idleCheckMs = 10_000
const updateEveryMs = 3_600_000
const reportAfterMs = 15_000

async function register(serviceWorker: ServiceWorkerContainer) {
  await serviceWorker.register('/board-sw.js', { scope: '/board' })
  const update = async () => (await serviceWorker.getRegistration('/board'))?.update()
  setInterval(() => inBackground(update()), updateEveryMs)
  const { active } = await serviceWorker.ready
  const report = () => active?.postMessage({ keep: usedFiles() })
  report()
  // Some fonts and voice packs are fetched only with the first texts and calls, so the files are reported again.
  setTimeout(report, reportAfterMs)
}

const kept = /^\/(assets|voice)\//

function usedFiles(): string[] {
  const addresses = performance.getEntriesByType('resource').map(({ name }) => new URL(name))
  return addresses
    .filter(({ origin, pathname }) => origin === location.origin && kept.test(pathname))
    .map(({ pathname, search }) => pathname + search)
}
