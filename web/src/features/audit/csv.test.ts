import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { csvOf, guarded } from './csv'

test('fields are quoted, lines end with CRLF, and a formula is text', () => {
  expect(
    csvOf([
      ['Service', 'P50 (min)'],
      ['A "good" one', '=1+1'],
    ]),
  ).toBe('\ufeff"Service","P50 (min)"\r\n"A ""good"" one","\'=1+1"\r\n')
})

/** The columns: the value of a cell, and its text in the file. A Go test reads the same table. */
const cells = readFileSync('../services/platform/sheet/testdata/cells.tsv', 'utf8')
  .split('\n')
  .filter((row) => row && !row.startsWith('#'))
  .map((row) => row.split('\t').map((text) => JSON.parse(text) as string) as [string, string])

test.each(cells)('%j is written as %j', (value, written) => expect(guarded(value)).toBe(written))
