import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { isNumber, tenDigits } from './ten-digits'

/**
 * The columns: the typed or pasted text, the digits that are stored or '-', and a description. A Go test reads the same
 * table.
 */
const vectors = readFileSync('../services/platform/wire/testdata/numbers.tsv', 'utf8')
  .split('\n')
  .filter((row) => row && !row.startsWith('#'))
  .map((row) => row.split('\t') as [string, string, string])
  .map(([typed, digits, what]) => ({ typed: JSON.parse(typed) as string, digits, what }))

test.each(vectors)('$what: $typed', ({ typed, digits }) => {
  const cleaned = tenDigits(typed)
  if (digits === '-') expect(cleaned).not.toMatch(/^\d{10}$/)
  else expect(cleaned).toBe(digits)
})

test('the digits of a number that is still typed are kept', () => {
  expect(tenDigits('98450 3')).toBe('984503')
  expect(tenDigits('+91 98450 3')).toBe('+91 98450 3')
})

test.each(['98450333334', '98765abcde', '+44 9845033333'])('%s is left to the rules', (typed) =>
  expect(tenDigits(typed)).toBe(typed),
)

test('a pasted number is no name, and a name with a number is one', () => {
  expect(['98450', '+91 98450', '\u202a+91 98450 33333\u202c', 'tel:9845033333'].every(isNumber)).toBe(true)
  expect(['Asha', 'Asha 7', '', '-', '4U Traders'].some(isNumber)).toBe(false)
})
