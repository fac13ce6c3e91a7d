import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Browser, BrowserContext, Page } from '@playwright/test'
import { openProxy, type CutProxy } from './cut-proxy'
import { provoke } from './faults'
import { asAdmin, baseURL, hire, openSession, type Account } from './people'
import { expectFound } from './queue'
import { expect } from './test'

// This file opens a paired desk behind a connection that a test can cut.

type Made = { device: { id: string; series: string }; pairing_code: string }

/** A desk of the office, and the answer of its pairing. */
export type Paired = { id: string; series: string; answer: object }

/**
 * Creates a desk. An office has only eight series. When a desk is removed, its series cannot be used for eight days.
 */
export const madeDesk = (name: string) => asAdmin<Made>('POST', '/api/devices', { kind: 'desk', name })

/** Creates a desk and pairs it by its code. */
export async function newDesk(name: string): Promise<Paired> {
  const { device, pairing_code: code } = await madeDesk(name)
  const answer = await fetch(`${baseURL()}/api/devices/pair`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ code }),
  })
  expect(answer.status).toBe(200)
  return { id: device.id, series: device.series, answer: (await answer.json()) as object }
}

/**
 * The nth of the desks that the tests of an office share. A file in the office's data folder has the data of
 * the desk. A browser that is paired as this desk continues its numbers.
 */
export async function sharedDesk(nth = 0): Promise<Paired> {
  const file = join(dirname(process.env.BAARI_ACCOUNTS ?? ''), `desk-${nth}.json`)
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8')) as Paired
  const desk = await newDesk(`Shared desk ${nth + 1}`)
  writeFileSync(file, JSON.stringify(desk))
  return desk
}

export type Visit = {
  id: string
  token: string
  name: string
  tokenAlso?: string
  createdAt: string
  offline?: { arrivedAt: string }
  queue: { stage: string }
}

export const visitsToday = async () => (await asAdmin<{ visits: Visit[] }>('GET', '/api/visits/today')).visits

/** Today's visits whose names begin with a text, in the order of the list. */
export const visitsOf = async (name: string) =>
  (await visitsToday()).filter((visit) => visit.name.startsWith(name))

/** A paired desk in a browser of its own. */
export type DeskBrowser = {
  context: BrowserContext
  page: Page
  proxy: CutProxy
  account: Account
  id: string
  series: string
}

/** Makes the page record a print in an attribute, instead of opening the print dialog. */
export const notePrints = () => {
  window.print = () => document.documentElement.setAttribute('data-printed', String(performance.now()))
}

/** The faults that a lost connection may cause in a browser. */
export const faultsOfCut = [
  /^failed /,
  /^40[13] .* \/api\//,
  /^console .*(fetch|net::|Failed to load|ServiceWorker)/,
] as const

/** Opens reception's page in a browser of its own, and pairs the desk in Account Settings. */
export async function openDesk(
  browser: Browser,
  desk: Paired,
  as: Promise<Account> = hire('reception'),
): Promise<DeskBrowser> {
  const proxy = await openProxy()
  const account = await as
  const { storageState } = await openSession(account)
  const context = await browser.newContext({ storageState, baseURL: proxy.url, serviceWorkers: 'allow' })
  await context.addInitScript(notePrints)
  const page = await context.newPage()
  provoke(page, ...faultsOfCut)
  await keepFor(page, proxy.url)
  await page.goto('/dashboard/receptionist')
  await expect(page.getByText('Connected', { exact: true })).toBeVisible()
  await pair(page, desk)
  return { context, page, proxy, account, id: desk.id, series: desk.series }
}

/** Permits the site to store data permanently, so that the browser does not delete them. */
async function keepFor(page: Page, origin: string) {
  const session = await page.context().newCDPSession(page)
  await session.send('Browser.grantPermissions', { origin, permissions: ['durableStorage'] })
}

export async function openSettings(page: Page) {
  await page.getByRole('button', { name: /Your profile|Profile/ }).click()
  await page.getByRole('button', { name: 'Account Settings' }).click()
}

/** Pairs a browser as a desk whose code has been used already, by answering with the stored answer. */
export async function pair(page: Page, { answer }: Paired) {
  await page.route('**/api/devices/pair', (route) => route.fulfill({ json: answer }))
  await openSettings(page)
  await page.getByLabel('Pairing code').fill('AAAA-BBBB')
  await page.getByRole('button', { name: 'Pair this desk' }).click()
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null, undefined, {
    timeout: 60_000,
  })
  await expect(page.getByText('Connected', { exact: true })).toBeVisible()
  // A list that a cut interrupts before it is loaded is not loaded later.
  await expect(page.locator('.skeleton, .service-select.ant-select-loading')).toHaveCount(0)
  await page.unroute('**/api/devices/pair')
}

export const form = (page: Page) => page.locator('.visit-form')
export const band = (page: Page) => page.locator('.desk-band')
export const ticket = (page: Page) => page.locator('.issued-ticket .ticket-number')

/** Fills in the form and sends it by keyboard. */
export async function register(page: Page, name: string) {
  await form(page).getByLabel('Visitor Name').fill(name)
  await form(page).getByLabel('Phone Number').fill('9845012345')
  await form(page).getByLabel('Service').press('ArrowDown')
  // This waits, because the services may still be loading from the desk's storage.
  await expect(page.locator('.ant-select-item-option-active').filter({ visible: true })).toHaveCount(1)
  await page.keyboard.press('Enter')
  await page.keyboard.press('Control+Enter')
}

/** Registers a visitor, and returns the token once the screen shows it. */
export async function tokenFor(page: Page, name: string): Promise<string> {
  await register(page, name)
  await expect(page.locator('.issued-ticket')).toContainText(name)
  await expect(form(page).getByLabel('Visitor Name')).toHaveValue('') // The form is emptied after the ticket is shown.
  return (await ticket(page).textContent()) ?? ''
}

/** Waits until everything is sent and the desk is online. */
export async function untilSent(page: Page) {
  await expect(page.getByText(/^Not sent yet/)).toHaveCount(0)
  await expect(page.getByText(/Tokens of this desk are now|The server answers again/)).toHaveCount(0)
}

export async function backOnline({ proxy, page }: Pick<DeskBrowser, 'proxy' | 'page'>) {
  proxy.mend()
  await untilSent(page)
}

export async function closeDesk({ context, proxy }: DeskBrowser) {
  await context.close()
  await proxy.close()
}

/** Searches for a visitor, because a long list draws only the visible rows. Returns the visitor's row. */
export async function rowOf(page: Page, name: string) {
  await page.getByRole('searchbox').fill(name)
  await expectFound(page)
  return page.getByRole('listitem').filter({ hasText: name })
}

export const numberOf = (token: string) => Number(token.slice(2))
