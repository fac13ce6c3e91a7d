import { afterEach, expect, test, vi } from 'vitest'
import { fill, fillKnown, locale, messages, plural } from './messages'

test('a message is filled at its placeholders', () => {
  expect(fill('Token {token} - {name}', { token: 'T-001', name: 'Asha' })).toBe('Token T-001 - Asha')
})

test('a number in a message is grouped as in India', () => {
  expect(fill('{rows} of {total}', { rows: 999, total: 12_34_567 })).toBe('999 of 12,34,567')
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
  const forms = { one: '{count} visit', other: '{count} visits' } as const
  expect([0, 1, 2].map((count) => fill(plural(forms, count), { count }))).toEqual([
    '0 visits',
    '1 visit',
    '2 visits',
  ])
})

afterEach(() => {
  vi.unstubAllGlobals()
  vi.resetModules()
})

test('the texts are in English unless the page has loaded the script of a language', async () => {
  expect(locale).toBe('en')
  vi.stubGlobal('translation', { language: 'hi', messages: { ...messages, app: { name: 'बारी' } } })
  vi.resetModules()
  const translated = await import('./messages')
  expect(translated.locale).toBe('hi')
  expect(translated.messages.app.name).toBe('बारी')
  expect(translated.plural({ one: 'एक', other: 'कई' } as const, 0)).toBe('एक')
})
