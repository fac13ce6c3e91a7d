// Runs before the first paint, so that a stored dark theme never flashes light. The application then takes over.
;(function () {
  var stored
  try {
    stored = localStorage.getItem('ui-theme')
  } catch {
    stored = null
  }
  var dark = stored === 'dark' || (stored === 'system' && matchMedia('(prefers-color-scheme: dark)').matches)
  var root = document.documentElement
  root.dataset.theme = dark ? 'dark' : 'light'
  root.style.colorScheme = root.dataset.theme
})()
