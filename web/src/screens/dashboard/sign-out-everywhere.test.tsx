import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { Role } from '@/api/types'
import { userOf } from '@/test/fixtures'
import { openOffice } from '@/test/office'
import { renderApp } from '@/test/render-app'

const screens: [Role, string][] = [
  ['reception', '/dashboard/receptionist'],
  ['pa', '/dashboard/pa'],
  ['consultant', '/dashboard/consultant'],
  ['admin', '/dashboard/admin'],
]

test.each(screens)('%s can sign out from %s', async (role, path) => {
  openOffice({ user: userOf(role) })
  const { person } = renderApp(path)
  await person.click(await screen.findByRole('button', { name: /Profile$/ }))
  // ASVS 7.4.4
  expect(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Sign Out' })).toBeEnabled()
})
