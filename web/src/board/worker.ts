import { inBackground } from '@/in-background'

/** Registers the service worker with which the board starts without the server, and tells it what this page uses. */
export function startWorker() {
  if (!('serviceWorker' in navigator)) return
  const { serviceWorker } = navigator
  const wasControlled = serviceWorker.controller !== null
  // A new build: its page and files are taken over together.
  serviceWorker.addEventListener('controllerchange', () => {
    if (wasControlled) location.reload()
  })
  addEventListener('load', () => inBackground(register(serviceWorker)))
}

const updateEveryMs = 3_600_000
const reportAfterMs = 15_000

async function register(serviceWorker: ServiceWorkerContainer) {
  await serviceWorker.register('/board-sw.js', { scope: '/board' })
  const update = async () => (await serviceWorker.getRegistration('/board'))?.update()
  setInterval(() => inBackground(update()), updateEveryMs)
  const { active } = await serviceWorker.ready
  const report = () => active?.postMessage({ keep: usedFiles() })
  report()
  // Fonts and packs are fetched with the first texts and calls.
  setTimeout(report, reportAfterMs)
}

const kept = /^\/(assets|voice)\//

function usedFiles(): string[] {
  const addresses = performance.getEntriesByType('resource').map(({ name }) => new URL(name))
  return addresses
    .filter(({ origin, pathname }) => origin === location.origin && kept.test(pathname))
    .map(({ pathname, search }) => pathname + search)
}
