import { expect, test } from 'vitest'
import { missingIn } from './missing-languages'

test('the languages of the screens without a translation of the notice are named, not English', () => {
  expect(missingIn({ version: '1', translations: { hi: {}, ta: {}, or: {} } })).toEqual(['kn', 'te', 'mr'])
  expect(missingIn({ version: '1' })).toHaveLength(5)
})
