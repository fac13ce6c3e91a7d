import type { CDPSession, Page } from '@playwright/test'
import { deskOfRole, emptyLine } from './desk'
import { onlyAtNight } from './extent'
import { expect, test } from './test'

onlyAtNight()

/** An old phone with bad reception: 35 kbit/s, 800 ms per round trip, and a processor six times slower. */
const slow = { offline: false, latency: 800, downloadThroughput: 35_000 / 8, uploadThroughput: 35_000 / 8 }
const slowdown = 6
/**
 * Limits in milliseconds. The browser delays each request, but not the set-up of the connection, so two more round
 * trips are added.
 */
const limits = { paint: 3_500, load: 4_500 }
const setUp = 2 * slow.latency
/**
 * The limit, in bytes, of all answers during ten minutes of waiting, with their headers in HTTP/1.1. Requests are not
 * counted, because the browser determines their headers. With TLS, HTTP/2 is used, which sends repeated headers only
 * once.
 */
const mostOfTenMinutes = 12 << 10

const visitor = { name: 'Asha Kulkarni' }

async function waits() {
  const reception = await deskOfRole('reception')
  const visit = await reception.register(visitor)
  await (await deskOfRole('pa')).sendToLine(visit)
  return reception.pageOf(visit)
}

const timesOf = (page: Page) =>
  page.evaluate(() => {
    const [paint] = performance.getEntriesByName('first-contentful-paint')
    const [load] = performance.getEntriesByType('navigation')
    return { paint: paint?.startTime ?? Infinity, load: load?.loadEventEnd ?? Infinity }
  })

for (const language of ['en', 'kn']) {
  test(`a cheap phone over 2G has the page in time, in ${language}`, async ({ browser }) => {
    const path = await waits()
    const times: { paint: number; load: number }[] = []
    for (let round = 0; round < 3; round++) {
      const context = await browser.newContext({ viewport: { width: 360, height: 640 } })
      const page = await context.newPage()
      const device = await context.newCDPSession(page)
      await device.send('Network.enable')
      await device.send('Network.emulateNetworkConditions', slow)
      await device.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
      await page.goto(`${path}?lang=${language}`, { waitUntil: 'load' })
      await expect(page.locator('body')).toHaveAttribute('data-state', /./)
      await page.waitForFunction(() => performance.getEntriesByName('first-contentful-paint').length > 0)
      times.push(await timesOf(page))
      await context.close()
    }
    // The minimum of three rounds counts, because the other rounds had to wait for the machine.
    const paint = setUp + Math.min(...times.map((one) => one.paint))
    const load = setUp + Math.min(...times.map((one) => one.load))
    console.log(`first paint ${Math.round(paint)} ms, load ${Math.round(load)} ms in ${language}`)
    expect(paint).toBeLessThan(limits.paint)
    expect(load).toBeLessThan(limits.load)
  })
}

/** Counts the requests of a page and the bytes of the answers, from now on. */
async function count(device: CDPSession) {
  const transfer = { requests: 0, bytes: 0 }
  device.on('Network.requestWillBeSent', () => transfer.requests++)
  device.on('Network.responseReceivedExtraInfo', ({ headersText }) => {
    transfer.bytes += headersText?.length ?? 0
  })
  device.on('Network.dataReceived', ({ encodedDataLength }) => (transfer.bytes += encodedDataLength))
  await device.send('Network.enable')
  return transfer
}

test('ten minutes of waiting transfer little', async ({ browser }) => {
  await emptyLine()
  for (let before = 0; before < 4; before++) await waits()
  const path = await waits()
  const context = await browser.newContext({ viewport: { width: 360, height: 640 } })
  const page = await context.newPage()
  await page.clock.install()
  await page.goto(path)
  await expect(page.locator('main')).toContainText('4 people are before you.')
  const transfer = await count(await context.newCDPSession(page))
  for (let second = 0; second < 600; second++) {
    await page.clock.runFor(1_000)
    // The page sets the timer of its next request only after the answer has arrived.
    await new Promise((answered) => setTimeout(answered, 20))
  }
  console.log(`${transfer.requests} questions, ${transfer.bytes} bytes`)
  expect(transfer.requests).toBeGreaterThan(15)
  // While the visitor waits, the page sends a request every 15 to 30 seconds, at most 40 in ten minutes. When the call
  // is near, it sends one every ten seconds, so the limit is raised in proportion.
  const share = Math.max(1, transfer.requests / 40)
  expect(transfer.bytes).toBeLessThanOrEqual(mostOfTenMinutes * share)
  await emptyLine()
  await context.close()
})
