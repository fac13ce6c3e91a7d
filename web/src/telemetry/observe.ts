import { report } from './report'

/** The browser could not load a part of the program: its own class, because it means that a new version is out. */
class ChunkLoadError extends Error {
  override readonly name = 'ChunkLoadError'
}

/** Watches the page from now on: errors that nobody caught, vitals once it is idle, and a last word when it is left. */
export function observePage() {
  window.addEventListener('error', ({ error }) => report.error(error))
  window.addEventListener('unhandledrejection', ({ reason }) => report.error(reason))
  window.addEventListener('vite:preloadError', () => report.error(new ChunkLoadError()))
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'hidden') report.flush()
  })
  window.addEventListener('load', () => setTimeout(() => void observeVitals()))
}

/** The library is no part of what the first paint waits for. */
async function observeVitals() {
  const { onCLS, onFCP, onINP, onLCP, onTTFB } = await import('web-vitals')
  for (const on of [onCLS, onFCP, onINP, onLCP, onTTFB]) on(({ name, value }) => report.vital(name, value))
}
