(function () {
  'use strict'
  var doc = document
  var data = doc.body.dataset
  var tag = ''
  var timer
  var fails = 0
  var asked = 0

  // The steps of a request end when a later request was sent, so that an older answer never replaces a newer one.
  function latest(step) {
    var mine = asked
    return function (value) {
      return mine === asked ? step(value) : new Promise(function () {})
    }
  }
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
      .then(
        latest(function (r) {
          if (r.status === 429 || r.status >= 500) throw r.status
          return r.text()
        }),
      )
      .then(
        latest(function (html) {
          // The page has this style already. The style of the answer has another nonce, so it would be rejected.
          var next = new DOMParser().parseFromString(html.replace(/<style[^]*?<\/style>/, ''), 'text/html')
          doc.title = next.title
          doc.querySelector('main').replaceWith(doc.adoptNode(next.querySelector('main')))
          var was = next.body.dataset
          data.state = was.state
          data.next = was.next || '0'
          data.called = was.called || ''
          data.page = was.page || ''
          put('say', (doc.getElementById('word') || doc.querySelector('h1')).textContent)
          offer()
          if (called && data.called && navigator.vibrate) navigator.vibrate([400, 200, 400, 200, 800])
        }),
      )
  }
  // Web push, where the browser has it. On an iPhone that is only a page on the home screen.
  var worker = navigator.serviceWorker
  var told
  function offer() {
    var place = doc.getElementById('push')
    if (!place || !+data.next || !('PushManager' in window) || !worker) return
    var button = place.firstChild
    var words = button.textContent
    function draw() {
      button.textContent = told ? button.dataset.off : words
      button.disabled = false
      place.hidden = Notification.permission === 'denied'
    }
    function say(yes) {
      put('pushed', yes ? button.dataset.failed : ' ')
    }
    function set(on) {
      button.disabled = true
      say()
      return (on ? start() : send('DELETE'))
        .then(
          function () {
            told = on
            if (!on) kept('')
          },
          function () {
            say(1)
          },
        )
        .then(draw)
    }
    button.onclick = function () {
      set(!told)
    }
    if (told === undefined) {
      told = false
      known(function (same) {
        told = same
        if (same) draw()
        else set(true)
      })
    }
    draw()
  }
  // What this browser remembers: the code of the visit and the key for which it has subscribed.
  function kept(value) {
    try {
      if (value !== undefined) localStorage.push = value
      return localStorage.push || ''
    } catch (_) {
      return ''
    }
  }
  // Calls back if push is on for this visit, and whether it is on for the office's present key.
  function known(then) {
    var was = kept().split(' ')
    if (was[0] !== data.code) return
    Promise.all([worker.getRegistration('/q/'), call('key')])
      .then(function (has) {
        return has[0] && has[0].pushManager.getSubscription().then(function (sub) {
          if (sub) then(was[1] === has[1])
        })
      })
      .catch(function () {})
  }
  function call(path, options) {
    return fetch('/q/' + path, options).then(function (r) {
      if (!r.ok) throw r.status
      return r.text()
    })
  }
  function send(method, body) {
    return call(data.code + '/push', { method: method, body: body })
  }
  // The page of the slip's code is at /Q/, which the worker does not control: worker.ready would wait for ever.
  function registered() {
    return worker.register('/q/push-worker.js', { scope: '/q/' }).then(function (has) {
      var coming = has.installing || has.waiting
      if (has.active || !coming) return has
      return new Promise(function (done, failed) {
        coming.onstatechange = function () {
          if (coming.state === 'activated') done(has)
          if (coming.state === 'redundant') failed()
        }
      })
    })
  }
  function start() {
    return Promise.all([registered(), call('key')]).then(function (has) {
      var manager = has[0].pushManager
      function subscribe() {
        return manager.subscribe({ userVisibleOnly: true, applicationServerKey: has[1] })
      }
      return subscribe()
        .catch(function (cause) {
          // A subscription for another key of the office gets no messages any more.
          return manager.getSubscription().then(function (old) {
            if (!old) throw cause
            return old.unsubscribe().then(subscribe)
          })
        })
        .then(function (sub) {
          return send('POST', JSON.stringify(sub))
        })
        .then(function () {
          kept(data.code + ' ' + has[1])
        })
    })
  }
  function show(s) {
    var called = s.called || ''
    if (s.page !== data.page || called !== data.called) return swap(called !== data.called)
    put('range', s.range)
    put('now', s.now)
    put('checked', s.checked)
    data.next = s.next
  }
  function ask() {
    var headers = tag ? { 'If-None-Match': tag } : {}
    asked += 1
    fetch('/q/' + data.code + '/state' + location.search, { headers: headers, cache: 'no-store' })
      .then(
        latest(function (r) {
          if (r.status === 304) return put('checked', r.headers.get('X-Checked'))
          if (r.status === 404 || r.status === 410) return swap()
          if (!r.ok) throw r.status
          // The tag of what is shown. An answer that was overtaken is not shown, so its tag is not the one to send.
          function shown() {
            tag = r.headers.get('ETag') || ''
          }
          return r.json().then(latest(show)).then(shown)
        }),
      )
      .then(
        latest(function () {
          fails = 0
          old(false)
          if (+data.next) plan(+data.next)
        }),
        latest(function () {
          fails += 1
          tag = ''
          if (fails > 1) old(true)
          plan(Math.min(60, 10 * fails))
        }),
      )
  }
  doc.addEventListener('visibilitychange', function () {
    if (!doc.hidden && +data.next) plan(1)
  })
  offer()
  plan(+data.next)
})()
