import { expect, test } from 'vitest'
import { faultsOf, textsOf } from '@/test/catalogue-lint'
import { filesOf, folders, glossary, keptWords, readLocaleFile, translated } from '@/test/catalogues'
import { messageTypes } from '../../scripts/message-types'
import { languages } from './languages'

const english = filesOf('en')

test('no English text is empty', () => {
  expect(textsOf(english).filter(({ text }) => text.trim() === '')).toEqual([])
})

test('the type of the catalogues is that of the English texts: npm run generate', () => {
  expect(readLocaleFile('english.d.ts')).toBe(messageTypes('src/locales/en'))
})

test('two files have no key in common', () => {
  const keys = Object.values(english).flatMap((file) => Object.keys(file))
  expect(keys.filter((key, index) => keys.indexOf(key) !== index)).toEqual([])
})

test('the glossary has a word for every term in every language', () => {
  const expected = Object.keys(languages).filter((name) => name !== 'en')
  const gaps = glossary.flatMap(({ english: term, forms }) =>
    expected.filter((name) => !forms[name]?.length).map((name) => `${term}: ${name}`),
  )
  expect(gaps).toEqual([])
  expect(glossary).toHaveLength(62)
})

test('every language with a folder is offered', () => {
  expect(folders.filter((name) => !(name in languages))).toEqual([])
})

for (const name of translated) {
  test(`the catalogue of ${name} is complete and follows the rules`, () => {
    expect(faultsOf(name, filesOf(name), { english, kept: keptWords, glossary })).toEqual([])
  })
}

type Planted = { visits: { token: string; tokenOf: string; queue: Record<string, string> } }

/** The forms of a glossary's term in a language, joined as in the sentences of the lint. */
const wordsOf = (term: string, name: string) =>
  glossary.find(({ english: text }) => text === term)?.forms[name]?.join(' or ')

test.each(translated)('each fault that is planted in the catalogue of %s is reported', (name) => {
  const files = filesOf(name)
  const { visits } = structuredClone(files['visits.json']) as unknown as Planted
  const { title = '', ...queue } = visits.queue
  visits.queue = { ...queue, more: title, service: 'Service' }
  visits.tokenOf = `${visits.token} {tokn}`
  visits.token = queue.name ?? ''
  const planted = { ...files, 'visits.json': { visits } }
  expect(faultsOf(name, planted, { english, kept: keptWords, glossary })).toEqual(
    [
      'queue.title: missing',
      'queue.more: not in English',
      `token: needs the glossary's ${wordsOf('token', name)}`,
      'tokenOf: has not the placeholders {token}',
      'queue.service: has untranslated words: Service',
      'queue.service: is not translated',
      `queue.service: needs the glossary's ${wordsOf('service', name)}`,
    ].map((fault) => `visits.json.visits.${fault}`),
  )
})

test('a language is a draft until a reader has signed it', () => {
  const [signatures = ''] = readLocaleFile('REVIEW.md').split('\n## ')
  const rows = signatures.matchAll(/^\| (\w\w) +\|([^|]*)\|([^|]*)\|([^|]*)\|$/gm)
  const signed = new Map(
    [...rows].map(([, name, ...cells]) => [name, cells.every((cell) => cell.trim() !== '')] as const),
  )
  for (const [name, { draft }] of Object.entries(languages)) {
    expect([name, draft]).toEqual([name, name !== 'en' && signed.get(name) !== true])
  }
})
