import { expect, test } from 'vitest'
import { csvOf } from './csv'

test('fields are quoted, lines end with CRLF, and a formula is text', () => {
  expect(
    csvOf([
      ['Service', 'P50 (min)'],
      ['A "good" one', '=1+1'],
    ]),
  ).toBe('\ufeff"Service","P50 (min)"\r\n"A ""good"" one","\'=1+1"\r\n')
})
