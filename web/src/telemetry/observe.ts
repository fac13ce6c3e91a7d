import { inBackground } from '@/in-background'
import { report } from './report'

/** The error of a chunk that failed to load has its own class: the usual cause is a new version. */
class ChunkLoadError extends Error {
  override readonly name = 'ChunkLoadError'
}

/** Observes the page: uncaught errors, vitals once it is loaded, and a report when it is hidden. */
export function observePage() {
  window.addEventListener('error', ({ error }) => report.error(error))
  window.addEventListener('unhandledrejection', ({ reason }) => report.error(reason))
  window.addEventListener('vite:preloadError', () => report.error(new ChunkLoadError()))
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'hidden') report.flush()
  })
  window.addEventListener('load', () => setTimeout(() => inBackground(observeVitals())))
}

/** The library is loaded after the page. */
async function observeVitals() {
  const { onCLS, onFCP, onINP, onLCP, onTTFB } = await import('web-vitals')
  for (const on of [onCLS, onFCP, onINP, onLCP, onTTFB]) on(({ name, value }) => report.vital(name, value))
}
