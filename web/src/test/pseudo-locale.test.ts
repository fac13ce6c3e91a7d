import { expect, test } from 'vitest'
import { pseudo, pseudoCatalogue } from './pseudo-locale'

test('a pseudo-translation has accents, brackets and 40 % more letters, and keeps its placeholders', () => {
  expect(pseudo('Token {token} of {name}')).toBe('[Tökéñ {token} öf {name} ~]')
  for (const text of ['Save', 'Create Token', 'The last active administrator cannot be removed.']) {
    expect(pseudo(text).length / text.length).toBeGreaterThanOrEqual(1.4)
    expect(pseudo(text).length / text.length).toBeLessThan(1.6)
  }
})

test('a pseudo-catalogue has the keys of the catalogue', () => {
  expect(pseudoCatalogue({ keys: [{ does: 'Save' }], count: { one: 'a', other: 'b' } })).toEqual({
    keys: [{ does: '[Šàvé]' }],
    count: { one: '[à]', other: '[b]' },
  })
})
