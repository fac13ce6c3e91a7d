// Lets the board start without its server: keeps the page, its files and the voice packs. The build inserts the name of
// the cache and the files of the page.
const cacheName = 'board'
const voiceCache = 'board-voice'
const page = '/board'
const files = []

self.addEventListener('install', function (event) {
  async function store() {
    const cache = await caches.open(cacheName)
    await cache.addAll([page, ...files])
    await self.skipWaiting()
  }
  event.waitUntil(store())
})

self.addEventListener('activate', function (event) {
  event.waitUntil(self.clients.claim())
})

/** Files of other builds are kept for a page that is still open, until a page of this build reports itself. */
async function clean() {
  const { installing, waiting } = self.registration
  if (installing || waiting) return // their files are there already
  const old = (await caches.keys()).filter(
    (name) => name.startsWith('board') && name !== cacheName && name !== voiceCache,
  )
  await Promise.all(old.map((name) => caches.delete(name)))
}

/** The page loaded these files before this worker controlled it. */
self.addEventListener('message', function (event) {
  const { keep = [] } = event.data ?? {}
  async function store() {
    for (const address of keep) {
      const cache = await caches.open(address.startsWith('/voice/') ? voiceCache : cacheName)
      if (!(await cache.match(address))) await cache.add(address)
    }
    await clean()
  }
  event.waitUntil(store())
})

self.addEventListener('fetch', function (event) {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (request.method !== 'GET' || origin !== self.location.origin) return
  if (request.mode === 'navigate' && pathname === page) event.respondWith(fresh(request, cacheName, page))
  else if (pathname.startsWith('/voice/') && pathname.endsWith('.json')) {
    event.respondWith(fresh(request, voiceCache, request))
  } else if (pathname.startsWith('/voice/')) event.respondWith(stored(request, voiceCache))
  else if (pathname.startsWith('/assets/') || files.includes(pathname)) {
    event.respondWith(stored(request, cacheName))
  }
})

const patienceMs = 4000

const inTime = (answer) =>
  Promise.race([
    answer,
    new Promise((_resolve, reject) => setTimeout(() => reject(new Error('too late')), patienceMs)),
  ])

/** Answers from the network, or from the cache if that fails. */
async function fresh(request, name, key) {
  const cache = await caches.open(name)
  try {
    const response = await inTime(fetch(request))
    if (!response.ok) throw new Error(`answered ${response.status}`)
    await cache.put(key, response.clone())
    return response
  } catch (cause) {
    const kept = await cache.match(key)
    if (!kept) throw cause
    return kept
  }
}

/** Answers from the cache: other content has another address. */
async function stored(request, name) {
  const cache = await caches.open(name)
  const kept = (await cache.match(request)) ?? (name === cacheName && (await caches.match(request)))
  if (kept) return kept
  const response = await fetch(request)
  if (response.ok) {
    // Deletes the older pack of the language.
    if (name === voiceCache) await cache.delete(request, { ignoreSearch: true })
    await cache.put(request, response.clone())
  }
  return response
}
