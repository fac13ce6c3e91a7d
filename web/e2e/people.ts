import {
  expect,
  request,
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  type Page,
} from '@playwright/test'
import { readFileSync } from 'node:fs'
import type { Language } from '@/locales/languages'
import { messagesOf } from './pseudo-locale'

export type Role = 'admin' | 'reception' | 'pa' | 'consultant'
export type Account = { role: Role; email: string; name: string; password: string }

const homes: Record<Role, string> = {
  admin: '/dashboard/admin',
  reception: '/dashboard/receptionist',
  pa: '/dashboard/pa',
  consultant: '/dashboard/consultant',
}

/** The accounts of the running application, as `baari up` writes them. */
export function accounts(): Account[] {
  const file = process.env.BAARI_ACCOUNTS
  if (!file) throw new Error('BAARI_ACCOUNTS is not set: name the accounts.json of the running application.')
  return JSON.parse(readFileSync(file, 'utf8')) as Account[]
}

export function accountOf(role: Role, nth = 0): Account {
  const account = accounts().filter((one) => one.role === role)[nth]
  if (!account) throw new Error(`there is no account number ${nth} with the role ${role}`)
  return account
}

/** A member of staff with a browser of their own. */
export type Person = { account: Account; context: BrowserContext; page: Page }

/** The page that a person opens, by default the dashboard of the role, and the settings of the browser. */
type Arrival = Omit<BrowserContextOptions, 'storageState'> & {
  at?: string
  theme?: 'light' | 'dark' | 'system'
  language?: Language
}

/** Opens a separate browser in which the account is signed in, and waits until its page is connected. */
export async function arrive(
  browser: Browser,
  account: Account,
  { at = homes[account.role], theme, language = 'en', ...options }: Arrival = {},
): Promise<Person> {
  const { storageState } = await openSession(account)
  if (theme)
    storageState.origins.push({ origin: baseURL(), localStorage: [{ name: 'ui-theme', value: theme }] })
  const context = await browser.newContext({ ...options, storageState })
  if (language !== 'en') await context.addCookies([{ name: 'baari_lang', value: language, url: baseURL() }])
  const page = await context.newPage()
  await page.goto(at)
  await expect(page.getByText(messagesOf(language).live.connected, { exact: true })).toBeVisible()
  return { account, context, page }
}

/** A session without a browser: the token, the user, and the cookie that a browser needs. */
export type Session = {
  token: string
  userId: string
  storageState: Exclude<BrowserContextOptions['storageState'], string | undefined>
}

export async function openSession({ email, password }: Account): Promise<Session> {
  return authenticate('/api/auth/sign-in/email', { email, password })
}

let admin: { since: number; session: Promise<Session> } | undefined
const renewedAfterMs = 300_000 // roles and devices require a session that began less than ten minutes ago

/**
 * Sends a request as the administrator. Requests share a session for five minutes, because tests repeat them until a
 * change has arrived.
 */
export async function asAdmin<T>(method: string, path: string, body?: object): Promise<T> {
  if (!admin || Date.now() - admin.since > renewedAfterMs) {
    admin = { since: Date.now(), session: openSession(accountOf('admin')) }
  }
  const { token } = await admin.session
  const answer = await fetch(baseURL() + path, {
    method,
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  expect(answer.ok, `${method} ${path} answered ${answer.status}`).toBe(true)
  return (answer.status === 204 ? undefined : await answer.json()) as T
}

let hired = 0
/**
 * Playwright replaces the process after a failed test. With this part, the names of accounts differ from those of the
 * old process.
 */
const run = Date.now().toString(36).slice(-4)

/** Creates a new member of staff, so that a test has an account that no other test uses. */
export async function hire(role: Exclude<Role, 'admin'>, name?: string): Promise<Account> {
  hired += 1
  const account: Account = {
    role,
    name: name ?? `Hired ${run}-${hired}`,
    email: `hired-${role}-${Date.now()}-${hired}@lekha.example`,
    password: 'velvet-okra-17',
  }
  const { email, password } = account
  const { token, userId } = await authenticate('/api/auth/sign-up/email', {
    email,
    password,
    name: account.name,
  })
  const answer = await fetch(`${baseURL()}/api/users/${userId}`, {
    method: 'PUT',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ role, isActive: true, is_active: true }),
  })
  expect(answer.status).toBe(200)
  return account
}

async function authenticate(path: string, data: object): Promise<Session> {
  const origin = baseURL()
  const client = await request.newContext({ baseURL: origin, extraHTTPHeaders: { Origin: origin } })
  const answer = await client.post(path, { data })
  expect(answer.status(), path).toBe(200)
  const { token, user } = (await answer.json()) as { token: string; user: { id: string } }
  const storageState = await client.storageState()
  await client.dispose()
  return { token, userId: user.id, storageState }
}

export function baseURL(): string {
  const address = process.env.BAARI_URL
  if (!address) throw new Error('BAARI_URL is not set: it names the address of the running application.')
  return address
}

export async function signIn(page: Page, { email, password }: Account) {
  await page.goto('/login')
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign In' }).click()
  await page.waitForURL(/\/dashboard(\/|$)/)
}
