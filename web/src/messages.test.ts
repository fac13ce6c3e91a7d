import { expect, test } from 'vitest'
import { fill } from './messages'

test('a message is filled at its named places', () => {
  expect(fill('Token {token} - {name}', { token: 'T-001', name: 'Asha' })).toBe('Token T-001 - Asha')
})

test('a visitor called {token} does not fill another place', () => {
  expect(fill('Token {token} - {name}', { token: 'T-001', name: '{token}' })).toBe('Token T-001 - {token}')
})
