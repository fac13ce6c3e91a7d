import { screen, waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import type { Role } from '@/api/types'
import { userOf } from '@/test/fixtures'
import { openOffice } from '@/test/office'
import { renderApp } from '@/test/render-app'

const homes: [Role, string][] = [
  ['reception', '/dashboard/receptionist'],
  ['pa', '/dashboard/pa'],
  ['consultant', '/dashboard/consultant'],
  ['admin', '/dashboard/admin'],
]

// S2.index.01, S2.index.03, S6.home.01-04
test.each(homes)('%s is redirected to %s', async (role, home) => {
  openOffice({ user: userOf(role) })
  const { path, router } = renderApp('/dashboard')
  expect(await screen.findByRole('heading', { name: 'Loading Dashboard' })).toBeVisible()
  expect(path()).toBe('/dashboard')
  await waitFor(() => expect(path()).toBe(home))
  expect(router.state.historyAction).toBe('REPLACE')
})

// S2.index.02
test('the screen is shown for 500 ms', async () => {
  const timers = vi.spyOn(globalThis, 'setTimeout')
  openOffice({ user: userOf('pa') })
  const { path } = renderApp('/dashboard')
  await screen.findByRole('heading', { name: 'Loading Dashboard' })
  const [leave] = timers.mock.calls.filter(([, milliseconds]) => milliseconds === 500)
  expect(leave).toBeDefined()
  expect(path()).toBe('/dashboard')
  await waitFor(() => expect(path()).toBe('/dashboard/pa'))
})
