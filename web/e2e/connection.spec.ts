import { createServer, connect, type AddressInfo, type Socket } from 'node:net'
import type { Page } from '@playwright/test'
import { registered } from './answers'
import { deskOfRole, welcome } from './desk'
import { provoke } from './faults'
import { accountOf, arrive, baseURL, openSession } from './people'
import { messagesOf } from './pseudo-locale'
import { expect, test } from './test'

const kept = 'No connection. Your entry is kept and is sent when the connection is back.'
const stripOf = (page: Page) => page.getByRole('region', { name: 'Kept entries' })
const newPhone = () => String(8_000_000_000 + (Date.now() % 999_999_999))
const unavailable = {
  error: 'The service is not available. Please try again.',
  code: 'unavailable',
  request_id: 'r',
}
const withoutConnection = [/^failed \w+ /, /^console Error: Failed to fetch/]
const disconnected = (page: Page) => page.getByText('Disconnected', { exact: true })
const connected = (page: Page) => page.getByText('Connected', { exact: true })

async function fill(page: Page, name: string, phone: string) {
  await page.getByLabel('Visitor Name').fill(name)
  await page.getByLabel('Phone Number').fill(phone)
  await page.getByLabel('Service Required').click()
  await page.locator('.ant-select-dropdown:visible').getByTitle('ITR Filing', { exact: true }).click()
  await page.getByLabel('Special Notes').fill('Form 16 comes later')
}

const tokensOf = async (phone: string) =>
  (await (await deskOfRole('reception')).today()).visits.filter((visit) => visit.phone === phone)

/** A proxy that can stop forwarding without closing connections. It is in front of the gateway. */
async function silentProxy() {
  const { hostname, port } = new URL(baseURL())
  const sockets = new Set<Socket>()
  let [toServer, toBrowser, isDown] = [true, true, false]
  const server = createServer((browser) => {
    if (isDown) {
      browser.destroy()
      return
    }
    const gateway = connect(Number(port), hostname)
    for (const socket of [browser, gateway]) {
      sockets.add(socket)
      socket.on('error', () => socket.destroy())
      socket.on('close', () => {
        sockets.delete(socket)
        browser.destroy()
        gateway.destroy()
      })
    }
    browser.on('data', (data) => (toServer ? gateway.write(data) : undefined))
    gateway.on('data', (data) => (toBrowser ? browser.write(data) : undefined))
  })
  await new Promise<void>((listening) => server.listen(0, hostname, listening))
  return {
    // The proxy has the gateway's host name. Cookies are bound to the host name, not to the port.
    url: `http://${hostname}:${(server.address() as AddressInfo).port}`,
    /** Stops forwarding: everything, or only the answers. */
    silence: (what: 'all' | 'answers') => {
      toBrowser = false
      toServer = what === 'answers'
    },
    /** Closes every connection, and every new one at once. */
    cut: () => {
      isDown = true
      for (const socket of sockets) socket.destroy()
    },
    mend: () => {
      ;[toServer, toBrowser, isDown] = [true, true, false]
      for (const socket of sockets) socket.destroy()
    },
    close: () => {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}

for (const [what, at] of [
  ['a stream that falls silent is reported within three seconds of its heartbeat', 'all'],
  ['a registration whose answer is lost is repeated, and creates one token', 'answers'],
] as const) {
  test(what, async ({ browser }) => {
    const proxy = await silentProxy()
    const { storageState } = await openSession(accountOf('reception'))
    const context = await browser.newContext({ storageState, baseURL: proxy.url })
    const page = await context.newPage()
    provoke(page, ...withoutConnection)
    await page.goto('/dashboard/receptionist')
    await expect(connected(page)).toBeVisible()
    const phone = newPhone()
    await fill(page, 'Asha Kulkarni', phone)

    proxy.silence(at)
    const cut = Date.now()
    // The page notes the time, because an assertion looks only once a second.
    const noticed = page.waitForFunction(() => document.querySelector('.connection-off') && Date.now())
    await page.getByRole('button', { name: 'Create Token' }).click()
    // Heartbeats come every five seconds, and a late one has three seconds of grace. The rest of the limit is for a
    // slow machine.
    expect(Number(await (await noticed).jsonValue()) - cut).toBeLessThanOrEqual(10_000)
    await expect(disconnected(page)).toBeVisible()
    await expect(page.getByText(kept).first()).toBeVisible()
    await expect(stripOf(page).getByRole('listitem')).toContainText('Asha Kulkarni')
    await expect(page.getByLabel('Visitor Name')).toHaveValue('')
    expect(await tokensOf(phone)).toHaveLength(at === 'answers' ? 1 : 0)

    proxy.mend()
    await page.evaluate(() => window.dispatchEvent(new Event('online')))
    await expect(page.getByText(registered)).toBeVisible()
    await expect(connected(page)).toBeVisible()
    await expect(stripOf(page).getByRole('button', { name: /^Print T-/ })).toBeVisible()
    expect(await tokensOf(phone)).toHaveLength(1)
    await context.close()
    proxy.close()
  })
}

test(
  'three entries made while the server is away get three tokens in order',
  { tag: '@main' },
  async ({ browser }) => {
    const { page, context } = await arrive(browser, accountOf('reception'), {
      viewport: { width: 1280, height: 720 },
    })
    provoke(page, ...withoutConnection, /^503 POST \/api\/visits$/)
    const phone = newPhone()
    const names = ['Asha First', 'Bilal Second', 'Chitra Third']
    await page.route('**/api/visits', (route) => route.abort())
    for (const name of names) {
      await fill(page, name, phone)
      await page.getByRole('button', { name: 'Create Token' }).click()
      await expect(stripOf(page).getByText(name)).toBeVisible()
      await expect(page.getByLabel('Visitor Name')).toHaveValue('')
    }
    // The gateway runs again before the service, and answers 503, which must not count as a rejection.
    const calls: string[] = []
    await page.route('**/api/visits', async (route) => {
      const { name } = route.request().postDataJSON() as { name: string }
      calls.push(`${name} sent`)
      if (calls.length === 1) return route.fulfill({ status: 503, json: unavailable })
      const response = await route.fetch()
      calls.push(`${name} answered`)
      return route.fulfill({ response })
    })
    await expect(stripOf(page).getByRole('button', { name: /^Print T-/ })).toHaveCount(3)
    const oneByOne = names.flatMap((name) => [`${name} sent`, `${name} answered`])
    expect(calls).toEqual(['Asha First sent', ...oneByOne])
    const tokens = await tokensOf(phone)
    expect(tokens.map(({ name }) => name)).toEqual(names)
    for (const { name } of tokens)
      await page.getByRole('button', { name: `Put away the entry of ${name}` }).click()
    await expect(stripOf(page)).toHaveCount(0)
    await context.close()
  },
)

test.describe('with a service worker', () => {
  test.use({ serviceWorkers: 'allow' })

  test('without a network the badge and the form say so, and a reload shows our page and keeps the entry', async ({
    browser,
  }) => {
    const proxy = await silentProxy()
    const { storageState } = await openSession(accountOf('reception'))
    const context = await browser.newContext({ storageState, baseURL: proxy.url })
    const page = await context.newPage()
    provoke(page, ...withoutConnection, /^dialog /)
    await page.goto('/')
    await page.evaluate(() => navigator.serviceWorker.ready.then(({ scope }) => scope))
    await page.goto('/dashboard/receptionist')
    await expect(connected(page)).toBeVisible()
    const phone = newPhone()
    await fill(page, 'Ravi Shetty', phone)

    // setOffline disconnects the page, but not the service worker, whose connections the proxy closes.
    proxy.cut()
    await context.setOffline(true)
    await expect(disconnected(page)).toBeVisible()
    await page.getByRole('button', { name: 'Create Token' }).click()
    await expect(stripOf(page)).toBeInViewport({ ratio: 1 })
    await expect(page.getByRole('button', { name: 'Discard the entry of Ravi Shetty' })).toBeEnabled()

    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      await page.reload()
      await expect(page.getByRole('heading', { name: 'No connection' })).toBeVisible()
      await expect(page.getByRole('button', { name: 'Try again' })).toBeVisible()
    }
    const { title, again } = messagesOf('hi').connection.offline
    await context.addCookies([{ name: 'baari_lang', value: 'hi', url: proxy.url }])
    await page.reload()
    await expect(page.getByRole('heading', { name: title })).toBeVisible()
    await expect(page.getByRole('button', { name: again })).toBeVisible()
    await expect(page.locator('html')).toHaveAttribute('lang', 'hi')
    await context.addCookies([{ name: 'baari_lang', value: 'en', url: proxy.url }])
    proxy.mend()
    await context.setOffline(false)
    await expect(page.getByText(registered)).toBeVisible()
    expect(await tokensOf(phone)).toHaveLength(1)
    await context.close()
    proxy.close()
  })
})

test("a PA's notes survive a lost connection and a reload", { tag: '@main' }, async ({ browser }) => {
  const [visit] = await welcome(1)
  const { page, context } = await arrive(browser, accountOf('pa'))
  provoke(page, ...withoutConnection)
  const card = page.getByRole('article', { name: new RegExp(`^${visit?.token} `) })
  await card.getByPlaceholder('PA Notes').fill('Ask for the challan')
  await context.setOffline(true)
  await expect(disconnected(page)).toBeVisible()
  await context.setOffline(false)
  await page.reload()
  await expect(card.getByPlaceholder('PA Notes')).toHaveValue('Ask for the challan')
  await context.close()
})
