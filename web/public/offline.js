// The page without a network opens the address again: on request, and when the server answers.
;(function () {
  var everyMs = 3000

  function again() {
    location.reload()
  }

  // The line may be back without an event, such as after a restart of the server.
  async function check() {
    try {
      await fetch('/sw.js', { method: 'HEAD', cache: 'no-store' })
      again()
    } catch {
      setTimeout(check, everyMs)
    }
  }

  document.querySelector('.state-button').addEventListener('click', again)
  addEventListener('online', again)
  setTimeout(check, everyMs)
})()
