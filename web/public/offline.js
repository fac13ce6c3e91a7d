// The page without a network opens the address again: on request, and when the network is back.
;(function () {
  function again() {
    location.reload()
  }
  document.querySelector('.state-button').addEventListener('click', again)
  addEventListener('online', again)
})()
