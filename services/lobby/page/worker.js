self.addEventListener('push', function (event) {
  var told = event.data ? event.data.json() : {}
  var say = words[told.l] || words.en
  var text = told.k === 'near' ? say.near : told.c ? say.called.replace('{counter}', told.c) : say.calledDesk
  event.waitUntil(
    self.registration.showNotification((say.token + ' ' + (told.t || '')).trim(), {
      body: text,
      lang: told.l,
      tag: 'turn',
      renotify: true,
      requireInteraction: told.k === 'called',
      vibrate: [400, 200, 400, 200, 800],
      data: told.q || '',
    }),
  )
})
self.addEventListener('notificationclick', function (event) {
  event.notification.close()
  var path = '/q/' + event.notification.data
  event.waitUntil(
    self.clients.matchAll({ type: 'window', includeUncontrolled: true }).then(function (open) {
      for (var i = 0; i < open.length; i++) {
        if (new URL(open[i].url).pathname.toLowerCase() === path.toLowerCase()) return open[i].focus()
      }
      return self.clients.openWindow(path)
    }),
  )
})
