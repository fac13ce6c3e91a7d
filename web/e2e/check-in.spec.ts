import type { Browser, Page } from '@playwright/test'
import { violationsOf } from './accessibility'
import { deskOfRole } from './desk'
import { languages } from './extent'
import { provoke } from './faults'
import { needsOf } from './needs'
import { accountOf, arrive } from './people'
import { expect, test } from './test'

const viewport = { width: 320, height: 640 }

/** A new phone number for each visitor, because only one request for a number can be open. */
const phone = () => `7${String(Math.floor(Math.random() * 1e9)).padStart(9, '0')}`

async function join(page: Page, name: string) {
  await page.goto('/q/join?lang=en')
  await page.getByLabel('Your name').fill(name)
  await page.getByLabel('Mobile number').fill(phone())
  await page.getByLabel('Service', { exact: true }).selectOption({ index: 1 })
  await page.getByRole('button', { name: 'Send' }).click()
  await expect(page.getByText('The desk has your request.')).toBeVisible()
}

/** The answer to an incomplete form. */
const incomplete = /^400 POST \/q\/join$/

const phoneOf = (browser: Browser, more: { javaScriptEnabled?: boolean } = {}) =>
  browser.newContext({ viewport, ...more })

test(
  'a visitor asks for a token without a script, and reception accepts with Enter',
  { tag: '@main' },
  async ({ browser }) => {
    const reception = await arrive(browser, accountOf('reception'))
    const context = await phoneOf(browser, { javaScriptEnabled: false })
    const page = await context.newPage()
    await page.goto('/Q/JOIN')
    await page.getByRole('link', { name: 'हिन्दी' }).click()
    await expect(page.locator('html')).toHaveAttribute('lang', 'hi')
    await expect(page.locator('form')).toBeVisible()
    const name = `Door ${phone()}`
    await join(page, name)

    const door = await needsOf(reception.page)
    const accept = door.getByRole('button', { name: `Accept ${name}` })
    await expect(accept).toBeVisible()
    await accept.focus()
    await reception.page.keyboard.press('Enter')
    await expect(reception.page.locator('.issued-ticket').getByText(name)).toBeVisible()
    await expect(accept).toHaveCount(0)
    await expect(reception.page.locator('.token-slip svg')).toHaveCount(1)
    await context.close()
    await reception.context.close()
  },
)

test('a form that is not complete says what is missing and keeps the rest', async ({ browser }) => {
  const context = await phoneOf(browser, { javaScriptEnabled: false })
  const page = await context.newPage()
  provoke(page, incomplete)
  await page.goto('/q/join?lang=en')
  await page.getByLabel('Your name').fill('Asha Kulkarni')
  await page.getByLabel('Mobile number').fill('12345')
  await page.getByRole('button', { name: 'Send' }).click()
  await expect(page.getByLabel('Your name')).toHaveValue('Asha Kulkarni')
  await expect(page.getByLabel('Mobile number')).toHaveAccessibleDescription(
    'Please enter a mobile number of ten digits.',
  )
  await expect(page.getByLabel('Service', { exact: true })).toHaveAccessibleDescription(
    'Please choose a service.',
  )
  await context.close()
})

test('a visitor who missed the call says to be back, and reception puts the visitor back in line', async ({
  browser,
}) => {
  const desk = await deskOfRole('reception')
  const pa = await deskOfRole('pa')
  const visit = await desk.register({ name: 'Asha Kulkarni', phone: phone() })
  await pa.sendToLine(visit)
  const path = await desk.pageOf(visit)
  await pa.act(visit, 'call', { consultant_id: (await deskOfRole('consultant')).userId })
  // A visitor can be marked as missed a minute after a first call, or at once after a repeated call. A call can be
  // repeated after ten seconds.
  await expect(async () => {
    await pa.act(visit, 'recall')
  }).toPass({ intervals: [2_000] })
  await pa.act(visit, 'miss')
  const reception = await arrive(browser, accountOf('reception'))
  const context = await phoneOf(browser, { javaScriptEnabled: false })
  const page = await context.newPage()
  await page.goto(path)
  await page.getByRole('button', { name: 'I am back' }).click()
  await expect(page.getByText('The desk knows that you are back.')).toBeVisible()
  const door = await needsOf(reception.page)
  await expect(door.getByText(`${visit.token} says: I am back`)).toBeVisible()
  await door.getByRole('button', { name: `Put ${visit.token} back in line` }).click()
  await expect(door.getByText(`${visit.token} says: I am back`)).toHaveCount(0)
  // Without scripts the page does not change after it was loaded, so it is loaded again until lobby has the events of
  // visits.
  await expect(async () => {
    await page.reload()
    await expect(page.locator('body')).toHaveAttribute('data-state', /waiting|near/, { timeout: 1_000 })
  }).toPass()
  await context.close()
  await reception.context.close()
})

test('the page of the poster has no violation in each language, narrow, dark and with large letters', async ({
  browser,
}) => {
  const context = await phoneOf(browser)
  const page = await context.newPage()
  provoke(page, incomplete)
  const check = async (what: string) => {
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      expect.soft(await violationsOf(page), `${what}, ${colorScheme}`).toEqual([])
    }
    await page.evaluate(() => (document.documentElement.style.fontSize = '200%'))
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
    expect.soft(wide, `${what} is wider than the window`).toBeLessThanOrEqual(0)
  }
  await page.goto('/Q/JOIN')
  await check('the choice of the language')
  for (const language of languages) {
    await page.goto(`/q/join?lang=${language}`)
    await check(language)
    await page.getByRole('button').last().click()
    await check(`${language}, incomplete`)
  }
  await page.goto('/q/join?sent&lang=en')
  await check('sent')
  await context.close()
})
