import { expect, type Page } from '@playwright/test'
import { flashes } from './answers'
import type { Account } from './people'

let made = 0

/** A person without an account. */
export function newUser(role: Account['role'] = 'pa'): Account {
  made += 1
  return {
    role,
    name: `Rekha ${made}`,
    email: `rekha-${Date.now()}-${made}@lekha.example`,
    password: 'velvet-okra-17',
  }
}

/** Fills in the registration and waits until the account exists. */
export async function register(page: Page, { name, email, password }: Account, role?: string) {
  await page.goto('/register')
  await page.getByLabel('Full Name').fill(name)
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill(password)
  if (role) {
    await page.getByLabel('Role').click()
    await page.getByTitle(role).click()
  }
  const created = flashes(page, 'Account created successfully')
  await page.getByRole('button', { name: 'Create Account' }).click()
  await created
  await expect(page).toHaveURL('/login')
}
