import { expect, test } from 'vitest'
import { fill, fillKnown, messages, plural } from './messages'

test('a message is filled at its placeholders', () => {
  expect(fill('Token {token} - {name}', { token: 'T-001', name: 'Asha' })).toBe('Token T-001 - Asha')
})

test('a value that looks like a placeholder is not filled', () => {
  expect(fill('Token {token} - {name}', { token: 'T-001', name: '{token}' })).toBe('Token T-001 - {token}')
})

test('a message with unknown values is filled only if none is missing', () => {
  expect(fillKnown('At most {max} in {place}', { max: 1_00_000, place: 'all' })).toBe(
    'At most 1,00,000 in all',
  )
  expect(fillKnown('At most {max}', { least: 1 })).toBeUndefined()
  expect(fillKnown('At most {max}', { max: null })).toBeUndefined()
})

test('a count selects its plural form', () => {
  const forms = { one: '{count} visit', many: '{count} visits' } as const
  expect([0, 1, 2].map((count) => fill(plural(forms, count), { count }))).toEqual([
    '0 visits',
    '1 visit',
    '2 visits',
  ])
})

/** Every text of the catalogue with its key. */
function textsOf(node: unknown, key = ''): [string, string][] {
  if (typeof node === 'string') return [[key, node]]
  return Object.entries(node as object).flatMap(([name, inner]) => textsOf(inner, `${key}.${name}`))
}

test('no text is empty, and every plural has both forms', () => {
  expect(textsOf(messages).filter(([, text]) => text.trim() === '')).toEqual([])
  const keys = new Set(textsOf(messages).map(([key]) => key))
  for (const key of keys) if (key.endsWith('.many')) expect(keys).toContain(key.replace(/many$/, 'one'))
})
