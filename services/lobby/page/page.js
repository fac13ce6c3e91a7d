(function () {
  'use strict'
  var doc = document
  var data = doc.body.dataset
  var tag = ''
  var timer
  var fails = 0

  function plan(seconds) {
    clearTimeout(timer)
    timer = setTimeout(ask, (doc.hidden ? Math.max(60, seconds) : seconds) * 1000)
  }
  function put(id, words) {
    var place = doc.getElementById(id)
    if (place && words && place.textContent !== words) place.textContent = words
  }
  function old(yes) {
    var band = doc.getElementById('old')
    if (band) band.hidden = !yes
  }
  // The page is replaced without leaving it: a new document could not vibrate before it was touched.
  function swap(called) {
    return fetch('/q/' + data.code + location.search, { cache: 'no-store' })
      .then(function (r) {
        if (r.status === 429 || r.status >= 500) throw r.status
        return r.text()
      })
      .then(function (html) {
        // The style is here already; its other nonce would be rejected.
        var next = new DOMParser().parseFromString(html.replace(/<style[^]*?<\/style>/, ''), 'text/html')
        doc.title = next.title
        doc.querySelector('main').replaceWith(doc.adoptNode(next.querySelector('main')))
        var was = next.body.dataset
        data.state = was.state
        data.next = was.next || '0'
        data.called = was.called || ''
        data.ahead = was.ahead || ''
        put('say', (doc.getElementById('word') || doc.querySelector('h1')).textContent)
        if (called && data.called && navigator.vibrate) navigator.vibrate([400, 200, 400, 200, 800])
      })
  }
  function show(s) {
    var ahead = s.ahead === null ? '' : String(s.ahead)
    var called = s.called || ''
    if (s.state !== data.state || called !== data.called || ahead !== data.ahead || !s.range === !!doc.getElementById('range')) {
      return swap(called !== data.called)
    }
    put('range', s.range)
    put('now', s.now)
    put('checked', s.checked)
    data.next = s.next
  }
  function ask() {
    fetch('/q/' + data.code + '/state' + location.search, { headers: tag ? { 'If-None-Match': tag } : {}, cache: 'no-store' })
      .then(function (r) {
        if (r.status === 304) return put('checked', new Date().toTimeString().slice(0, 5))
        if (r.status === 404 || r.status === 410) return swap()
        if (!r.ok) throw r.status
        tag = r.headers.get('ETag') || ''
        return r.json().then(show)
      })
      .then(
        function () {
          fails = 0
          old(false)
          if (+data.next) plan(+data.next)
        },
        function () {
          fails += 1
          tag = ''
          if (fails > 1) old(true)
          plan(Math.min(60, 10 * fails))
        },
      )
  }
  doc.addEventListener('visibilitychange', function () {
    if (!doc.hidden && +data.next) plan(1)
  })
  plan(+data.next)
})()
