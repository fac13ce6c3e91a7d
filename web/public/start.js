// The first view is in the page's HTML: the scripts are fetched after the first paint and run one after the other, so
// that a slow phone paints first and handles input in between.
;(function () {
  var script = document.currentScript
  var names = script.dataset.modules.split(' ')

  async function start() {
    for (var name of names) {
      var link = document.createElement('link')
      link.rel = 'modulepreload'
      link.crossOrigin = ''
      link.href = name
      document.head.append(link)
    }
    for (name of names) {
      await import(name)
      await new Promise(function (next) {
        setTimeout(next)
      })
    }
  }

  var started = false
  function once() {
    if (started) return
    started = true
    document.getElementById('shell').dataset.painted = '' // fetches the fonts of Indian scripts
    void start()
  }

  // Every visit begins on a page with a first view of its own.
  if ('serviceWorker' in navigator) {
    addEventListener('load', function () {
      navigator.serviceWorker.register('/sw.js').catch(function () {
        // Without a worker, such as in a private window, only the page for a lost network is missing.
      })
    })
  }

  // A page in the background is never painted, and some browsers do not report the first paint.
  if (document.visibilityState === 'hidden') once()
  setTimeout(once, 1500)
  new PerformanceObserver(function (paints) {
    if (paints.getEntriesByName('first-contentful-paint').length > 0) once()
  }).observe({ type: 'paint', buffered: true })
})()
