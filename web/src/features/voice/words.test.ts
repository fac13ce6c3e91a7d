import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { Language } from '@/locales/languages'
import { wordsOf } from './words'

test('the studio records the words of the shipped packs, in their order', () => {
  const [header = [], ...rows] = readFileSync('../tools/voice/words.tsv', 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => line.split('\t'))
  const [, ...languages] = header
  expect(languages).toEqual(['en', 'hi', 'kn', 'ta', 'te', 'mr'])
  for (const [index, language] of languages.entries()) {
    const words = wordsOf(language as Language)
    expect(words).toEqual(rows.map((cells) => ({ clip: cells[0], text: cells[index + 1] })))
    expect(words).toHaveLength(120)
  }
})
