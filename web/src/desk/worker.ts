import { createHandlerBoundToURL, precacheAndRoute, type PrecacheEntry } from 'workbox-precaching'
import { NavigationRoute, registerRoute } from 'workbox-routing'

/** The page of reception and its files, of one build. The build writes the list. */
declare const KEPT: PrecacheEntry[]

type Message = { data: unknown }
type Worker = {
  skipWaiting: () => Promise<void>
  addEventListener: (type: 'message', listener: (event: Message) => void) => void
}

const page = '/dashboard/receptionist'

// Calls of /api are never kept: no route takes them.
precacheAndRoute(KEPT)
registerRoute(
  new NavigationRoute(createHandlerBoundToURL(page), { allowlist: [/^\/dashboard\/receptionist/] }),
)

const worker = globalThis as unknown as Worker
worker.addEventListener('message', ({ data }) => {
  if (data === 'take over') void worker.skipWaiting()
})
