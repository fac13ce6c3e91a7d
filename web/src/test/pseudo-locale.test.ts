import { expect, test } from 'vitest'
import { pseudo, pseudoCatalogue } from './pseudo-locale'

const withoutAccents = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '')

test('a pseudo-translation has accents, brackets and 40 % more letters, and keeps its placeholders', () => {
  expect(withoutAccents(pseudo('Token {token} of {name}'))).toBe('[Token {token} of {name} ~]')
  expect(pseudo('Token')).not.toMatch(/[A-Za-z](?!\u0301)/)
  for (const text of ['Save', 'Create Token', 'The last active administrator cannot be removed.']) {
    const { length } = pseudo(text).replace(/\u0301/g, '')
    expect(length / text.length).toBeGreaterThanOrEqual(1.4)
    expect(length / text.length).toBeLessThan(1.6)
  }
})

test('the words that stay in English stay', () => {
  expect(pseudo('CSV')).toBe('[CSV]')
})

test('a pseudo-catalogue has the keys of the catalogue', () => {
  const node = pseudoCatalogue({ keys: [{ does: 'Save' }], count: { one: 'a', other: 'b' } })
  expect(node.keys[0]?.does).toBe(pseudo('Save'))
  expect(node.count).toEqual({ one: pseudo('a'), other: pseudo('b') })
})
