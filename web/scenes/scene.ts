import { expect, type Locator, type Page, type Route } from '@playwright/test'
import { provoke } from '../e2e/faults'
import type { Role } from '../e2e/people'

/** Brings an empty page to a state of a screen, and returns the element that shows the state. */
export type Scene = (page: Page) => Promise<Locator>

/** A screen and its states. Screenshots and accessibility checks cover all of them. */
export type Screen = {
  name: string
  /** Role of the signed-in user; without it there is no session. */
  role?: Role
  scenes: Record<string, Scene>
}

/** The screen as it opens. */
export const opened =
  (at: string): Scene =>
  async (page) => {
    await page.goto(at)
    await expect(page.locator('#shell')).toHaveCount(0)
    return page.getByRole('heading', { level: 1 })
  }

/** A dashboard with its lists and its stream. */
export async function ready(page: Page, at: string) {
  await page.goto(at)
  await expect(page.getByText('Connected', { exact: true })).toBeVisible()
  await expect(page.locator('.skeleton')).toHaveCount(0)
}

/** Clicks the first button with this name. */
export const press = (scope: Page | Locator, name: string | RegExp) =>
  scope
    .getByRole('button', { name, exact: typeof name === 'string' })
    .first()
    .click()

/** Waits for a visible text and returns it. */
export async function shows(page: Page, words: string | RegExp): Promise<Locator> {
  const text = page.getByText(words).filter({ visible: true }).first()
  await expect(text).toBeVisible()
  return text
}

/** The placeholder of data that are still loading. */
export async function loading(page: Page): Promise<Locator> {
  const skeleton = page.locator('.skeleton').first()
  await expect(skeleton).toBeVisible()
  return skeleton
}

/** The open dialog or drawer. */
export async function dialog(page: Page): Promise<Locator> {
  const open = page.getByRole('dialog').filter({ visible: true }).first()
  await expect(open).toBeVisible()
  return open
}

const held = new WeakMap<Page, Route[]>()

/** Leaves calls to these addresses without a response. */
export async function hold(page: Page, ...addresses: string[]) {
  const calls = held.get(page) ?? []
  held.set(page, calls)
  await Promise.all(addresses.map((address) => page.route(address, (route) => void calls.push(route))))
}

/** Ends the pending calls, which the browser might otherwise send when their page closes. */
export async function drop(page: Page) {
  provoke(page, /^console Error: Failed to fetch/)
  for (const call of held.get(page) ?? []) await call.abort('aborted').catch(() => undefined)
}

/** Makes calls to these addresses fail, as with an unavailable service. */
export const fail = (page: Page, ...addresses: string[]) =>
  Promise.all(addresses.map((address) => failWith(page, address, 503, away)))

const away = 'The service is not available. Please try again.'

/** Answers calls to this address with an error. */
export async function failWith(
  page: Page,
  address: string,
  status: number,
  error: string,
  code = 'rejected',
  params: object = {},
) {
  provoke(page, new RegExp(`^${status} \\w+ ${pathOf(address)}$`))
  await page.route(address, (route) =>
    route.fulfill({ status, json: { error, message: error, code, params, request_id: 'r1' } }),
  )
}

/** Refuses values: `fields` are sentences about single ones. */
export async function refuseValues(page: Page, address: string, fields: Record<string, string>) {
  provoke(page, new RegExp(`^400 \\w+ ${pathOf(address)}$`))
  await page.route(address, (route) =>
    route.fulfill({
      status: 400,
      json: { error: away, message: away, code: 'validation', fields, params: {}, request_id: 'r1' },
    }),
  )
}

/** The path that a pattern of addresses matches. */
const pathOf = (address: string) => address.replace('**', '').replace(/\?.*/, '').replaceAll('*', '[^/]*')

/** Answers calls to this address with this response. */
export const answer = (page: Page, address: string, json: object) =>
  page.route(address, (route) => route.fulfill({ json }))

/** Makes the stream unavailable for longer than a series of reconnects takes. */
export async function loseConnection(page: Page, at: string): Promise<Locator> {
  await page.clock.install()
  provoke(page, /^failed GET \/api\/stream /)
  await page.route('**/api/stream?*', (route) => route.abort())
  await page.goto(at)
  const bar = page.getByText('Real-time updates are unavailable. Please refresh the page.').first()
  await expect(async () => {
    await page.clock.runFor(20_000)
    await expect(bar).toBeVisible({ timeout: 500 })
  }).toPass()
  await page.clock.resume()
  return page.getByText('Disconnected', { exact: true })
}
