// The cache answers only for pages that cannot be loaded: the application itself needs its server. The build inserts
// the name of the cache and the files.
const cacheName = 'offline'
const files = []

self.addEventListener('install', function (event) {
  async function store() {
    const cache = await caches.open(cacheName)
    await cache.addAll(files)
    await self.skipWaiting()
  }
  event.waitUntil(store())
})

self.addEventListener('activate', function (event) {
  async function clean() {
    const names = await caches.keys()
    const old = names.filter((name) => name.startsWith('offline') && name !== cacheName)
    await Promise.all(old.map((name) => caches.delete(name)))
    await self.clients.claim()
  }
  event.waitUntil(clean())
})

self.addEventListener('fetch', function (event) {
  const { request } = event
  const isPage = request.mode === 'navigate'
  if (!isPage && !files.includes(new URL(request.url).pathname)) return
  async function answer() {
    try {
      return await fetch(request)
    } catch (cause) {
      const kept = await caches.match(isPage ? '/offline.html' : request)
      if (!kept) throw cause
      return kept
    }
  }
  event.respondWith(answer())
})
