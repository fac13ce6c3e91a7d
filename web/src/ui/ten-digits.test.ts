import { expect, test } from 'vitest'
import { tenDigits } from './ten-digits'

test.each([
  '+91 98450 33333',
  '098450-33333',
  '+91-9845033333',
  '91 9845033333',
  '(0)98450 33333',
  '0091 98450 33333',
])('%s is ten digits', (typed) => expect(tenDigits(typed)).toBe('9845033333'))

test('the digits of a number that is still typed are kept', () => {
  expect(tenDigits('98450 3')).toBe('984503')
  expect(tenDigits('+91 98450 3')).toBe('+91 98450 3')
})

test.each(['98450333334', '98765abcde', '९८७६५४३२१०', '+44 9845033333'])('%s is left to the rules', (typed) =>
  expect(tenDigits(typed)).toBe(typed),
)
