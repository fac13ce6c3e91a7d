// The page without a network. It is in the chosen language, else in one of the browser's, else in English. It opens the
// address again on request, and when the server answers.
;(function () {
  var everyMs = 3000

  function again() {
    location.reload()
  }

  // The connection may be back without an event, such as after a restart of the server.
  async function check() {
    try {
      await fetch('/sw.js', { method: 'HEAD', cache: 'no-store' })
      again()
    } catch {
      setTimeout(check, everyMs)
    }
  }

  function speak() {
    var chosen = /(?:^|; )baari_lang=(\w+)/.exec(document.cookie)
    var wanted = (chosen ? [chosen[1]] : []).concat(navigator.languages)
    for (const name of wanted) {
      var language = name.split('-')[0].toLowerCase()
      if (language === 'en') return
      var template = document.querySelector('template[lang="' + language + '"]')
      if (!template) continue
      document.documentElement.lang = language
      document.title = template.title
      document.getElementById('page').replaceChildren(template.content)
      return
    }
  }

  speak()
  document.querySelector('.state-button').addEventListener('click', again)
  addEventListener('online', again)
  setTimeout(check, everyMs)
})()
