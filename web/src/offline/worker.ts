import { addPlugins, createHandlerBoundToURL, precacheAndRoute, type PrecacheEntry } from 'workbox-precaching'
import { NavigationRoute, registerRoute } from 'workbox-routing'

/** Reception's page and its files. The build writes this list, so that all of them are of one build. */
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

// The page is kept as this browser received it, with its policy and nonce. The server's Vary header is removed, because
// it is for shared caches.
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
// No route matches /api, so its responses are never kept.
precacheAndRoute(KEPT)
registerRoute(
  new NavigationRoute(createHandlerBoundToURL(page), { allowlist: [/^\/dashboard\/receptionist/] }),
)

const worker = globalThis as unknown as Worker
worker.addEventListener('message', (event) => {
  if (event.data === 'take over') event.waitUntil(worker.skipWaiting())
})
// Takes control of the page that paired the desk: it is of this build, but was loaded without this worker.
worker.addEventListener('activate', (event) => event.waitUntil(worker.clients.claim()))
