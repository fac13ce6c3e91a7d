import { addPlugins, createHandlerBoundToURL, precacheAndRoute, type PrecacheEntry } from 'workbox-precaching'
import { NavigationRoute, registerRoute } from 'workbox-routing'

/** The page of reception and its files, of one build. The build writes the list. */
declare const KEPT: PrecacheEntry[]

type Waiting = { waitUntil: (work: Promise<unknown>) => void }
type Message = Waiting & { data: unknown }
type Worker = {
  skipWaiting: () => Promise<void>
  clients: { claim: () => Promise<void> }
  addEventListener(type: 'message', listener: (event: Message) => void): void
  addEventListener(type: 'activate', listener: (event: Waiting) => void): void
}

const page = '/dashboard/receptionist'

// The page is kept as this browser got it, with its policy and nonce: the server's Vary is about caches of many.
addPlugins([
  {
    cacheWillUpdate: ({ response }) => {
      if (!response.ok) return Promise.resolve(null)
      const headers = new Headers(response.headers)
      headers.delete('Vary')
      headers.delete('Content-Encoding')
      const { status, statusText } = response
      return Promise.resolve(new Response(response.body, { status, statusText, headers }))
    },
  },
])
// Calls of /api are never kept: no route takes them.
precacheAndRoute(KEPT)
registerRoute(
  new NavigationRoute(createHandlerBoundToURL(page), { allowlist: [/^\/dashboard\/receptionist/] }),
)

const worker = globalThis as unknown as Worker
worker.addEventListener('message', (event) => {
  if (event.data === 'take over') event.waitUntil(worker.skipWaiting())
})
// The page that has paired the desk is of this build, and not controlled yet.
worker.addEventListener('activate', (event) => event.waitUntil(worker.clients.claim()))
