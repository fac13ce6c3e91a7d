import { expect, test } from 'vitest'
import { faultsOf, type Texts } from './catalogue-lint'
import { readGlossary } from './glossary'

const glossary = readGlossary('en\tuse\texcept\thi\ttoken\nqueue\tany\t\tकतार\ntoken\tany\t\tटोकन\n')

const english = {
  title: 'Queue',
  filled: 'Token {token} of {name}',
  count: { one: '{count} visit', other: '{count} visits' },
  calls: { one: 'Called once', other: 'Called {count} times' },
  keys: [{ keys: 'Ctrl+Enter', does: 'Save' }],
  nothing: '-',
}

const hindi = {
  title: 'कतार',
  filled: '{name} का टोकन {token}',
  count: { one: '{count} भेंट', other: '{count} भेंटें' },
  calls: { one: '{count} बार बुलाया', other: '{count} बार बुलाया' },
  keys: [{ keys: 'Ctrl+Enter', does: 'सहेजें' }],
  nothing: '-',
}

const faults = (translation: Texts, language = 'hi') =>
  faultsOf(language, translation, { english, kept: new Set(['Ctrl', 'Enter']), glossary })

test('a complete translation has no fault', () => {
  expect(faults(hindi)).toEqual([])
})

test.each<[string, Texts, string[]]>([
  ['missing', { ...hindi, keys: [{ keys: 'Ctrl+Enter' }] }, ['keys.0.does: missing']],
  ['extra', { ...hindi, more: 'और' }, ['more: not in English']],
  ['without a plural form', { ...hindi, count: { one: '{count} भेंट' } }, ['count.other: missing']],
  [
    'with a plural form that the language has not',
    { ...hindi, count: { ...hindi.count, few: '{count} भेंटें' } },
    ['count.few: not in English'],
  ],
  [
    'with another placeholder',
    { ...hindi, filled: '{नाम} का टोकन {token}' },
    ['filled: has not the placeholders {name} {token}', 'filled: has a brace without a placeholder'],
  ],
  [
    'without a placeholder',
    { ...hindi, filled: 'टोकन {token}' },
    ['filled: has not the placeholders {name} {token}'],
  ],
  [
    'left in English',
    { ...hindi, keys: [{ keys: 'Ctrl+Enter', does: 'Save' }] },
    ['keys.0.does: has untranslated words: Save', 'keys.0.does: is not translated'],
  ],
  [
    'empty',
    { ...hindi, keys: [{ keys: 'Ctrl+Enter', does: '' }] },
    ['keys.0.does: is empty', 'keys.0.does: is not translated'],
  ],
  ['in another script', { ...hindi, title: 'कतार ಸರತಿ' }, ['title: has characters of another script: ಸ ರ ತ ಿ']],
  ['with digits of the script', { ...hindi, nothing: '१' }, ['nothing: has characters of another script: १']],
  ['that begins with a space', { ...hindi, title: ' कतार' }, ['title: begins or ends with a space']],
  [
    'in a decomposed form',
    { ...hindi, nothing: 'फ\u095c' },
    ['nothing: is not in Unicode normalization form C'],
  ],
  ["without the glossary's word", { ...hindi, title: 'पंक्ति' }, ["title: needs the glossary's कतार"]],
])('a text %s is a fault', (_case, translation, expected) => {
  expect(faults(translation)).toEqual(expected)
})

test('the forms of a plural message are those of the language', () => {
  const irish = { ...hindi, count: { one: 'x', two: 'x', few: 'x', many: 'x', other: 'x' } }
  expect(faults(irish, 'ga').filter((fault) => /missing|not in English/.test(fault))).toEqual(
    ['two', 'few', 'many'].map((form) => `calls.${form}: missing`),
  )
})
