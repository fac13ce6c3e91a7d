import type { Page } from '@playwright/test'
import { violationsOf } from './accessibility'
import { deskFor, deskOfRole, emptyLine } from './desk'
import { languages } from './extent'
import { provoke } from './faults'
import { baseURL, hire } from './people'
import { expect, test } from './test'

const viewport = { width: 320, height: 640 }
const visitor = { name: 'Asha Kulkarni', phone: '9812345670', notes: 'Brought the notice of 12 June' }

/** Sends a visitor to the line. Returns the visit and the path of the visitor's page. */
async function waits() {
  const reception = await deskOfRole('reception')
  const visit = await reception.register(visitor)
  await (await deskOfRole('pa')).sendToLine(visit)
  return { visit, path: await reception.pageOf(visit) }
}

const state = (page: Page) => page.locator('body')
const shows = (page: Page, name: string | RegExp) => expect(state(page)).toHaveAttribute('data-state', name)

async function fits(page: Page, what: string) {
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
  expect.soft(wide, `${what} is wider than the window`).toBeLessThanOrEqual(0)
}

test(
  'the page works without a script: late, here, left, still here, another language',
  { tag: '@main' },
  async ({ browser }) => {
    const { path } = await waits()
    const context = await browser.newContext({ viewport, javaScriptEnabled: false })
    const page = await context.newPage()
    // The event of the visit may not have reached the page's service yet.
    await expect(async () => {
      await page.goto(path)
      expect(await page.getByRole('button', { name: '20 minutes' }).count()).toBe(1)
    }).toPass()
    const html = await page.content()
    for (const secret of Object.values(visitor)) expect(html).not.toContain(secret)
    await page.getByRole('button', { name: '20 minutes' }).click()
    await expect(page.getByText('You are on hold: you come later.')).toBeVisible()
    await page.getByRole('button', { name: 'I am here' }).click()
    await expect(page.getByRole('button', { name: '20 minutes' })).toHaveCount(0)
    await page.getByRole('button', { name: 'I have left' }).click()
    await expect(page.getByText('You have left the line.')).toBeVisible()
    await page.getByRole('button', { name: 'I am still here' }).click()
    await expect(page.getByRole('button', { name: 'I have left' })).toBeVisible()
    await page.getByRole('button', { name: 'हिन्दी' }).click()
    await expect(page.locator('html')).toHaveAttribute('lang', 'hi')
    await context.close()
  },
)

test(
  'a call turns the open page within its next question, and the phone vibrates',
  { tag: '@main' },
  async ({ browser }) => {
    await emptyLine()
    const { visit, path } = await waits()
    const context = await browser.newContext({ viewport })
    const page = await context.newPage()
    await page.addInitScript(() => {
      Object.assign(window, { vibrated: 0 })
      navigator.vibrate = () => Boolean(Object.assign(window, { vibrated: 1 }))
    })
    await page.goto(path)
    await shows(page, 'near')
    const account = await hire('consultant')
    const consultant = await deskFor(account)
    await expect(async () => {
      expect((await consultant.act(visit, 'call', { counter: '7' })).id).toBe(visit.id)
    }).toPass()
    await expect(page.getByText('Please go to counter 7 now.').first()).toBeVisible()
    await shows(page, 'called')
    expect(await page.evaluate(() => (window as unknown as { vibrated: number }).vibrated)).toBe(1)
    await expect(page.getByRole('status')).toHaveText(/counter 7/)
    await consultant.act(visit, 'leave')
    await context.close()
  },
)

test('an address that is no link says so, the same for all, and a form of another site changes nothing', async () => {
  const { path } = await waits()
  const address = (code: string) => `${baseURL()}/q/${code}`
  const letters = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
  const random = () => Array.from({ length: 20 }, () => letters[Math.floor(Math.random() * 32)]).join('')
  const bodies = new Set<string>()
  for (const code of [...Array.from({ length: 200 }, random), 'x', 'page.jsx', '%20']) {
    const answer = await fetch(address(code))
    expect([404, 429]).toContain(answer.status)
    if (answer.status === 404) bodies.add(await answer.text())
  }
  expect([...bodies]).toHaveLength(1)
  const page = await fetch(baseURL() + path)
  expect(page.status).toBe(200)
  expect(page.headers.get('cache-control')).toBe('no-store')
  expect(page.headers.get('content-security-policy')).toContain("default-src 'none'")
  const foreign = await fetch(address(path.slice(3)) + '/left', {
    method: 'POST',
    headers: { Origin: 'https://elsewhere.example' },
  })
  expect(foreign.status).toBe(403)
})

test('every state has no violation in each language, narrow, dark and with large letters', async ({
  browser,
}) => {
  const context = await browser.newContext({ viewport })
  const page = await context.newPage()
  const check = async (path: string, name: string | RegExp) => {
    for (const language of languages) {
      // The page has the new state shortly after the API has answered the change of the visit.
      await expect(async () => {
        await page.goto(`${path}?lang=${language}`)
        await expect(state(page)).toHaveAttribute('data-state', name, { timeout: 100 })
      }).toPass()
      const what = `${String(name)} in ${language}`
      await fits(page, what)
      // Colours do not depend on the language, so the dark theme is checked in one language only.
      for (const colorScheme of language === 'en' ? (['light', 'dark'] as const) : (['light'] as const)) {
        await page.emulateMedia({ colorScheme })
        expect.soft(await violationsOf(page), `${what}, ${colorScheme}`).toEqual([])
      }
      await page.evaluate(() => (document.documentElement.style.fontSize = '200%'))
      await fits(page, `${what} with large letters`)
    }
  }
  await livesThrough(check)
  for (const language of languages) {
    provoke(page, /^404 GET \/q\/none$/)
    await page.goto(`/q/none?lang=${language}`)
    await shows(page, 'notFound')
    expect.soft(await violationsOf(page), `no link in ${language}`).toEqual([])
    await page.evaluate(() => (document.documentElement.style.fontSize = '200%'))
    await fits(page, `no link in ${language}`)
  }
  await context.close()
})

/** Brings visits to every state that a visitor's page can show, and calls `check` in each state. */
async function livesThrough(check: (path: string, name: string | RegExp) => Promise<void>) {
  await emptyLine()
  const reception = await deskOfRole('reception')
  const pa = await deskOfRole('pa')
  const [first, second] = await Promise.all([
    deskFor(await hire('consultant')),
    deskFor(await hire('consultant')),
  ])
  const missing = await waits()
  // The call is repeated, because the service `visits` may not know a new consultant yet.
  await expect(async () => {
    await pa.act(missing.visit, 'call', { consultant_id: second.userId })
  }).toPass()

  const visit = await reception.register(visitor)
  const path = await reception.pageOf(visit)
  await check(path, 'received')
  await pa.sendToLine(visit)
  await check(path, 'near')
  for (let others = 0; others < 4; others++) await waits()
  await check((await waits()).path, /^(waiting|near)$/)
  await pa.act(visit, 'hold', { reason: 'papers' })
  await check(path, 'held')
  await pa.act(visit, 'resume')
  await expect(async () => {
    await pa.act(visit, 'call', { consultant_id: first.userId })
  }).toPass()
  await check(path, 'called')
  await first.start(visit)
  await check(path, 'in_session')
  await first.complete(visit)
  await check(path, 'done')

  const denied = await waits()
  await pa.act(denied.visit, 'leave')
  await check(denied.path, 'left')
  const refused = await reception.register(visitor)
  await pa.deny(refused)
  await check(await reception.pageOf(refused), 'denied')
  // This is repeated, because a visitor can be marked as missed only a minute after the call.
  await expect(async () => {
    await pa.act(missing.visit, 'miss')
  }).toPass({ intervals: [5_000] })
  await check(missing.path, 'missed')
}
