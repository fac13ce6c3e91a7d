import { expect, test } from 'vitest'
import { hasScreen, hasStaff, isFresh, itemsOf } from './items'
import type { Setup } from './query'

const setup: Setup = {
  dismissed: false,
  items: [
    { key: 'hours', done: true, at: '2026-11-20T05:00:00.000Z', by: { id: 'a', name: 'Anand' } },
    { key: 'services', done: false, at: null, by: null },
  ],
}

test('a step is done if the server or the page says so, and all stand in their order', () => {
  const items = itemsOf(setup, { people: true, screen: undefined })
  expect(items.map(({ key, done }) => [key, done])).toEqual([
    ['hours', true],
    ['services', false],
    ['people', true],
    ['desks', false],
    ['screen', false],
    ['notice', false],
    ['backup', false],
  ])
  expect(items[0]).toMatchObject({ by: 'Anand', at: '2026-11-20T05:00:00.000Z' })
})

test('a step that an admin unticked is not credited to them when the page sees it done', () => {
  const unticked = {
    key: 'backup' as const,
    done: false,
    at: '2026-11-20T05:00:00.000Z',
    by: { id: 'a', name: 'Anand' },
  }
  const backup = itemsOf({ dismissed: false, items: [unticked] }, { backup: true }).at(-1)
  expect(backup).toEqual({ key: 'backup', done: true, at: null, by: null })
})

test('a backup counts for 48 hours', () => {
  const now = Date.parse('2026-11-20T12:00:00Z')
  expect(isFresh('2026-11-18T12:00:01Z', now)).toBe(true)
  expect(isFresh('2026-11-18T12:00:00Z', now)).toBe(false)
  expect(isFresh(null, now)).toBe(false)
})

test('people are an active reception, PA and consultant', () => {
  const staff = ['reception', 'pa', 'consultant', 'admin'].map((role) => ({ role, isActive: true }))
  expect(hasStaff(staff)).toBe(true)
  expect(hasStaff(staff.map((one) => (one.role === 'pa' ? { ...one, isActive: false } : one)))).toBe(false)
})

test('a screen counts while it is paired, and a desk does not', () => {
  const screen = { kind: 'display', pairedAt: '2026-11-20T05:00:00Z', revokedAt: null }
  expect(hasScreen([screen])).toBe(true)
  expect(
    hasScreen([
      { ...screen, kind: 'desk' },
      { ...screen, pairedAt: null },
    ]),
  ).toBe(false)
  expect(hasScreen([{ ...screen, revokedAt: '2026-11-20T06:00:00Z' }])).toBe(false)
})
