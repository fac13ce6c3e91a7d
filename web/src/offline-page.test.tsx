import { readFileSync } from 'node:fs'
import { runInThisContext } from 'node:vm'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import hindi from '@/locales/hi/connection.json'
import tamil from '@/locales/ta/connection.json'
import english from '@/locales/en/connection.json'
import type { PublicTexts } from '@/messages'
import { offlinePage } from './offline-page'

const script = readFileSync('public/offline.js', 'utf8')

const drawn = ({ connection }: { connection: object }) =>
  offlinePage((connection as PublicTexts['connection']).offline)

/** The page as the build writes it, with two other languages, after its script has run. */
function open(cookie: string, browser: readonly string[]) {
  document.documentElement.lang = 'en-IN'
  document.title = english.connection.offline.title
  const html = `<div id="page">${drawn(english)}</div>
    <template lang="hi" title="${hindi.connection.offline.title}">${drawn(hindi)}</template>
    <template lang="ta" title="${tamil.connection.offline.title}">${drawn(tamil)}</template>`
  document.body.replaceChildren(document.createRange().createContextualFragment(html))
  vi.spyOn(document, 'cookie', 'get').mockReturnValue(cookie)
  vi.spyOn(navigator, 'languages', 'get').mockReturnValue(browser)
  runInThisContext(script)
  const { lang } = document.documentElement
  return { lang, title: document.title, heading: document.querySelector('#page h1')?.textContent }
}

const shown = (lang: string, { connection }: { connection: { offline: { title: string } } }) => ({
  lang,
  title: connection.offline.title,
  heading: connection.offline.title,
})

beforeEach(() => vi.useFakeTimers())

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
  document.body.replaceChildren()
})

test('the page without a network is in the chosen language, with a button that works', () => {
  expect(open('a=b; baari_lang=ta', ['hi-IN'])).toEqual(shown('ta', tamil))
  expect(document.querySelector('#page button')).toHaveTextContent(tamil.connection.offline.again)
})

test('without a choice it is in a language of the browser, else in English', () => {
  expect(open('', ['fr', 'hi-IN', 'en'])).toEqual(shown('hi', hindi))
  expect(open('', ['en-IN', 'hi'])).toEqual(shown('en-IN', english))
  expect(open('baari_lang=en', ['hi'])).toEqual(shown('en-IN', english))
  expect(open('', ['fr'])).toEqual(shown('en-IN', english))
})
