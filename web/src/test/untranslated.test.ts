import { expect, test } from 'vitest'
import { untranslatedIn } from '../../e2e/untranslated'

const data = [
  'Asha Rao',
  'Why: to call you, + \\ [x] {y} | $ ^ *? & #',
  'GST Registration',
  'Notes on the name of the firm (old)',
  'Name',
]

test('an English text is reported, also if each of its words occurs in the data', () => {
  const isUntranslated = untranslatedIn(data.slice(0, 3))
  for (const text of ['Name', 'Notes', 'Registration', 'Rao Asha', 'Old firm', 'नाम: Name', 'Save'])
    expect(isUntranslated(text), text).toBe(true)
})

test('data that is whole, kept words, tokens and addresses are not', () => {
  const isUntranslated = untranslatedIn(data)
  for (const text of [
    'Asha Rao',
    'asha  rao',
    'टोकन T-012 Asha Rao को मिला',
    'GST Registration, 45 मिनट',
    'Notes on the name of the firm (old)',
    'CSV डाउनलोड करें',
    'asha@example.in',
    '9:05 am',
    'नाम',
  ])
    expect(isUntranslated(text), text).toBe(false)
})

test('a text that begins or ends within a word of the data is reported', () => {
  expect(untranslatedIn(['Asha'])('Ashanti')).toBe(true)
  expect(untranslatedIn(['Rao'])('Karao')).toBe(true)
})
