import type { Browser, BrowserContext, Page } from '@playwright/test'
import { openLine, type Line } from './cutting-proxy'
import { provoke } from './faults'
import { accountOf, baseURL, hire, openSession } from './people'
import { expect, test } from './test'

// Service workers, two browsers and their reloads on two shared cores.
test.describe.configure({ timeout: 120_000 })

type Made = { device: { id: string; series: string }; pairing_code: string }

async function asAdmin<T>(method: string, path: string, body?: object): Promise<T> {
  const { token } = await openSession(accountOf('admin'))
  const answer = await fetch(baseURL() + path, {
    method,
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  expect(answer.ok, `${method} ${path} answered ${answer.status}`).toBe(true)
  return (await answer.json()) as T
}

const newDesk = (name: string) => asAdmin<Made>('POST', '/api/devices', { kind: 'desk', name })

type OnServer = {
  token: string
  name: string
  tokenAlso?: string
  offline?: { arrivedAt: string }
  queue: { stage: string }
}

const visitsToday = async () => (await asAdmin<{ visits: OnServer[] }>('GET', '/api/visits/today')).visits

type DeskBrowser = { context: BrowserContext; page: Page; line: Line; id: string; series: string }

const form = (page: Page) => page.locator('.visit-form')
const band = (page: Page) => page.locator('.desk-band')

/** Opens reception on a computer of its own, and pairs it with a code in Account Settings. */
async function openDesk(browser: Browser, name: string, account = hire('reception')): Promise<DeskBrowser> {
  const line = await openLine()
  const { storageState } = await openSession(await account)
  const context = await browser.newContext({ storageState, baseURL: line.url, serviceWorkers: 'allow' })
  await context.addInitScript(() => {
    window.print = () => document.documentElement.setAttribute('data-printed', String(performance.now()))
  })
  const page = await context.newPage()
  page.setDefaultTimeout(20_000)
  // The line is cut: any call may fail.
  provoke(
    page,
    /^failed /,
    /^403 POST \/api\/visits\/offline/,
    /^console .*(fetch|net::|Failed to load|ServiceWorker)/,
  )
  const browserOf = await context.newCDPSession(page)
  await browserOf.send('Browser.grantPermissions', { origin: line.url, permissions: ['durableStorage'] })
  await page.goto('/dashboard/receptionist')
  await expect(page.getByText('Connected', { exact: true })).toBeVisible()
  const made = await newDesk(name)
  await page.getByRole('button', { name: /Your profile|Profile/ }).click()
  await page.getByRole('button', { name: 'Account Settings' }).click()
  await page.getByLabel('Pairing code').fill(made.pairing_code)
  await page.getByRole('button', { name: 'Pair this desk' }).click()
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null, undefined, {
    timeout: 60_000,
  })
  await expect(page.getByText('Connected', { exact: true })).toBeVisible()
  return { context, page, line, id: made.device.id, series: made.device.series }
}

async function register(page: Page, name: string) {
  await form(page).getByLabel('Visitor Name').fill(name)
  await form(page).getByLabel('Phone Number').fill('9845012345')
  await form(page).getByLabel('Service').click()
  await page.locator('.ant-select-item-option').first().click()
  await page.keyboard.press('Control+Enter')
}

const ticket = (page: Page) => page.locator('.issued-ticket .ticket-number')

/** The line is there again, and the desk has sent what it noted. */
async function backOnline(line: Line, page: Page) {
  line.mend()
  await expect(page.getByText(/^Not sent yet/)).toHaveCount(0, { timeout: 60_000 })
  await expect(page.getByText(/Tokens of this desk are now|The server answers again/)).toHaveCount(0)
}

async function closeDesk({ context, line }: DeskBrowser) {
  await context.close()
  await line.close()
}

/** The row of a visitor, also in a long list. */
async function rowOf(page: Page, name: string) {
  await page.getByRole('searchbox').fill(name)
  return page.getByRole('listitem').filter({ hasText: name })
}

test('a paired desk gives out its own tokens while the line is cut, and sends them afterwards', async ({
  browser,
}) => {
  const desk = await openDesk(browser, 'Front desk')
  const { page, line, series } = desk
  const name = `Cut ${Date.now() % 1_000_000}`
  await register(page, `${name} online`)
  await expect(ticket(page)).toHaveText(/^T-\d+$/)

  line.cut()
  await register(page, `${name} one`)
  await expect(ticket(page)).toHaveText(`${series}-001`)
  await expect(band(page)).toContainText(`The server does not answer. Tokens of this desk are now ${series}-`)
  await expect(await rowOf(page, `${name} one`)).toContainText('Not sent yet')
  await expect(page.locator('.token-slip')).toContainText('This desk was offline.')
  await expect(page.locator('.token-slip svg')).toHaveCount(0)

  // From the second one on, the token is there at once.
  await register(page, `${name} two`)
  await expect(ticket(page)).toHaveText(`${series}-002`)

  // What cannot be done says so where it would be done.
  const online = await rowOf(page, `${name} online`)
  await expect(online.locator('.row-menu')).toBeDisabled()
  await expect(online.locator('.row-menu')).toHaveAttribute('title', 'Not while the server does not answer')

  // The page opens without the server, for the same person, with the list as it was.
  await page.reload()
  await expect(band(page)).toContainText(`${series}-`)
  await expect(await rowOf(page, `${name} two`)).toContainText('Not sent yet')
  await register(page, `${name} three`)
  await expect(ticket(page)).toHaveText(`${series}-003`)

  // No name and no phone can be read from what is stored.
  const stored = await page.evaluate(async () => {
    const database = await new Promise<IDBDatabase>((opened) => {
      const asked = indexedDB.open('baari-desk')
      asked.onsuccess = () => opened(asked.result)
    })
    const rows = await new Promise<unknown[]>((read) => {
      const asked = database.transaction('outbox').objectStore('outbox').getAll()
      asked.onsuccess = () => read(asked.result as unknown[])
    })
    return rows.map((row) => {
      const { body } = row as { body: ArrayBuffer }
      return new TextDecoder('latin1').decode(body)
    })
  })
  expect(stored).toHaveLength(3)
  expect(stored.join()).not.toMatch(/9845012345|Cut/)

  await backOnline(line, page)
  const sent = (await visitsToday()).filter((visit) => visit.name.startsWith(name))
  expect(
    sent.map(({ token, name: of }) => `${token.replace(/T-\d+/, 'T')} ${of.slice(name.length + 1)}`),
  ).toEqual(['T online', `${series}-001 one`, `${series}-002 two`, `${series}-003 three`])

  // The answers to a registration are lost: the visit is one, with two tokens.
  // A browser repeats a call by itself when a kept connection ends.
  line.loseAnswers('/api/visits', 20)
  await register(page, `${name} lost`)
  await expect(ticket(page)).toHaveText(`${series}-004`)
  line.loseAnswers('/api/visits', 0)
  await backOnline(line, page)
  const lost = (await visitsToday()).filter((visit) => visit.name === `${name} lost`)
  expect(lost.map(({ token, tokenAlso }) => `${token.charAt(0)} ${tokenAlso}`)).toEqual([`T ${series}-004`])

  // A visitor leaves before the line is back.
  line.cut()
  await register(page, `${name} left`)
  const row = await rowOf(page, `${name} left`)
  await row.locator('.row-menu').click()
  await page.getByRole('menuitem').click()
  await backOnline(line, page)
  await expect
    .poll(async () => (await visitsToday()).find((visit) => visit.name === `${name} left`)?.queue.stage)
    .toBe('left')
  await register(page, `${name} at last`)
  await expect(ticket(page)).toHaveText(/^T-\d+$/)

  // A desk that was removed gives out no tokens without the server.
  await asAdmin('PUT', `/api/devices/${desk.id}`, { revoked: true })
  await page.reload()
  await expect(band(page)).toContainText('This desk was removed')
  line.cut()
  await register(page, `${name} removed`)
  await expect(page.getByText(/gives out no tokens without network/).last()).toBeVisible()
  await expect(ticket(page)).toHaveCount(0)
  await closeDesk(desk)
})

test('an admin prints and deletes what a removed desk cannot send; only then another desk is paired there', async ({
  browser,
}) => {
  const desk = await openDesk(browser, 'Old desk', Promise.resolve(accountOf('admin')))
  const { page, line, series } = desk
  const name = `Removed ${Date.now() % 1_000_000}`
  line.cut()
  await register(page, name)
  await expect(ticket(page)).toHaveText(`${series}-001`)
  await asAdmin('PUT', `/api/devices/${desk.id}`, { revoked: true })
  line.mend()
  await expect(band(page)).toContainText('This desk was removed', { timeout: 60_000 })

  const next = await newDesk('Next desk')
  const pairHere = async () => {
    await page.getByRole('button', { name: /Your profile|Profile/ }).click()
    await page.getByRole('button', { name: 'Account Settings' }).click()
    await page.getByLabel('Pairing code').fill(next.pairing_code)
    await page.getByRole('button', { name: 'Pair this desk' }).click()
  }
  await pairHere()
  await expect(
    page.getByText('Visitors of the desk that was here are not sent.', { exact: false }),
  ).toBeVisible()
  await page.goto('/dashboard/receptionist')

  await page.getByRole('button', { name: 'Not sent yet: 1' }).click()
  const dialog = page.getByRole('dialog', { name: 'Noted at this desk, not sent yet' })
  await expect(dialog.getByRole('row', { name })).toContainText(`${series}-001`)
  await dialog.getByRole('button', { name: "Print the day's list" }).click()
  await expect(page.locator('html')).toHaveAttribute('data-printed', /\d/)
  // The harness closes the browser's own questions.
  await page.evaluate(() => {
    window.confirm = () => true
  })
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await expect(dialog.getByRole('row', { name })).toHaveCount(0)
  expect((await visitsToday()).filter((visit) => visit.name === name)).toEqual([])

  await page.goto('/dashboard/receptionist')
  const loaded = page.waitForEvent('load')
  await pairHere()
  await loaded
  await expect(page.getByText('Connected', { exact: true })).toBeVisible()
  line.cut()
  await register(page, `${name} again`)
  await expect(ticket(page)).toHaveText(`${next.device.series}-001`)
  await backOnline(line, page)
  await closeDesk(desk)
})
