import { expect, test } from 'vitest'
import { differences, merged } from './conflict'
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
