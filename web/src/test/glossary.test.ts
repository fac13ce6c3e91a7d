import { expect, test } from 'vitest'
import { demands, readGlossary, stem, termsIn } from './glossary'

const glossary = readGlossary(
  [
    'en\tuse\texcept\thi\tta',
    'token\tany\t\tटोकन\tடோக்கன்',
    'token number\tany\t\tटोकन संख्या\tடோக்கன் எண்',
    'time\tany\ttimes | Real-time\tसमय\tநேரம்',
    'called\tlabel\t\tबुलाया गया\tஅழைக்கப்பட்டது',
    'GST\tany\t\tजीएसटी (माल एवं सेवा कर)\tஜிஎஸ்டி',
    'notes\tany\t\tटिप्पणी | नोट\tகுறிப்பு',
  ].join('\n'),
)

const english = (text: string) => termsIn(text, glossary).map((term) => term.english)

test.each([
  ['Two tokens', ['token']],
  ['The token number', ['token number']],
  ['Called {count} times at this time', ['time']],
  ['Real-time updates', []],
  ['{token} tokenless', []],
  ['Called', ['called']],
  ['{token} called', []],
])('the terms of "%s" are %j', (text, terms) => {
  expect(english(text)).toEqual(terms)
})

test.each([
  ['Token', 'டோக்கனை', 'ta'],
  ['Time', 'நேரத்தில்', 'ta'],
  ['Notes', 'टिप्पणियाँ', 'hi'],
  ['Notes', 'नोट', 'hi'],
  ['GST', 'जीएसटी', 'hi'],
  ['Token number', 'संख्या और टोकन', 'hi'],
])('%s is translated by %s', (text, translation, language) => {
  expect(demands(text, translation, language, glossary)).toEqual([])
})

test('a missing term is named with its forms', () => {
  expect(demands('Notes of the token', 'टोकन', 'hi', glossary)).toEqual(['टिप्पणी or नोट'])
})

test.each([
  ['सेवा', 'सेव'],
  ['நேரம்', 'நேர'],
  ['సమయం', 'సమయ'],
])('the stem of %s is %s', (word, expected) => {
  expect(stem(word)).toBe(expected)
})
