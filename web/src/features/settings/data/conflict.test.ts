import { expect, test } from 'vitest'
import { differences, keysOf, merged } from './conflict'
import type { Values } from './document'

const access = (registration: 'open' | 'approval' | 'closed', debug: boolean): Values['access'] => ({
  features: { registration, debug },
})

const base = { version: 3, value: access('open', false) }

test('own changes are applied to what another admin has saved', () => {
  const draft = { base, value: access('closed', false) }
  const theirs = access('open', true)
  expect(merged(draft, theirs)).toEqual({ features: { registration: 'closed', debug: true } })
  expect(differences(draft, theirs)).toEqual([
    { key: '/features/registration', own: 'closed', other: 'open' },
  ])
})

test('a setting that both have changed has both values, and the same change is no difference', () => {
  const draft = { base, value: access('closed', true) }
  const theirs = access('approval', true)
  expect(differences(draft, theirs)).toEqual([
    { key: '/features/registration', own: 'closed', other: 'approval' },
  ])
  expect(differences(draft, draft.value)).toEqual([])
})

test('groups of settings are compared setting by setting', () => {
  const board = (next: number, notice: string): Values['board'] => ({ board: { next, notice } })
  const draft = { base: { version: 3, value: board(0, '') }, value: board(2, '') }
  expect(merged(draft, board(0, 'Tea'))).toEqual(board(2, 'Tea'))
  expect(differences(draft, board(0, 'Tea'))).toEqual([{ key: '/board/next', own: 2, other: 0 }])
  const groups = { queue: { allowances: { normal: 30 }, maxBypass: 3 }, messageHours: { from: 9, until: 19 } }
  expect(keysOf(groups)).toEqual(['/queue/allowances/normal', '/queue/maxBypass', '/messageHours'])
})

test('a setting that was taken away is a change', () => {
  const notice = { version: '2026-11', title: 'Notice', text: 'We keep your name.', contact: 'desk@x.in' }
  const before: Values['notice'] = { notice: { ...notice, children: 'A parent registers a child.' } }
  const draft = { base: { version: 3, value: before }, value: { notice } }
  const theirs: Values['notice'] = { notice: { ...notice, ...before.notice, title: 'Privacy' } }
  expect(differences(draft, theirs)).toEqual([
    { key: '/notice/children', own: undefined, other: 'A parent registers a child.' },
  ])
})
