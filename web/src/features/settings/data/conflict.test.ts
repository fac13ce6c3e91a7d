import { expect, test } from 'vitest'
import { differences, merged } from './conflict'

const base = {
  version: 3,
  value: { features: { registration: 'open' as const, debug: false } },
}

test('own changes are applied to what another admin has saved', () => {
  const draft = { base, value: { features: { registration: 'closed' as const, debug: false } } }
  const theirs = { features: { registration: 'open' as const, debug: true } }
  expect(merged(draft, theirs)).toEqual({ features: { registration: 'closed', debug: true } })
  expect(differences(draft, theirs)).toEqual([
    { key: '/features/registration', own: 'closed', other: 'open' },
  ])
})

test('a setting that both have changed has both values, and the same change is no difference', () => {
  const draft = { base, value: { features: { registration: 'closed' as const, debug: true } } }
  const theirs = { features: { registration: 'approval' as const, debug: true } }
  expect(differences(draft, theirs)).toEqual([
    { key: '/features/registration', own: 'closed', other: 'approval' },
  ])
  expect(differences(draft, draft.value)).toEqual([])
})
