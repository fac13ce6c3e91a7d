import type { Page } from '@playwright/test'
import { violationsOf } from './accessibility'
import { adminPlaces } from './admin-places'
import { deskOfRole } from './desk'
import { languages } from './extent'
import { provoke } from './faults'
import { accountOf, arrive } from './people'
import { expect, test } from './test'

const viewport = { width: 320, height: 640 }

/** The answer to a request with wrong last digits of the phone number. */
const wrongDigits = /^400 POST \/q\/[0-9A-Za-z]{20}\/request/

async function ask(page: Page, text: string, last4: string) {
  await page.getByLabel('What would you like?').selectOption({ label: 'Correct something' })
  await page.getByLabel('What exactly?').fill(text)
  await page.getByLabel('Last four digits of your mobile number').fill(last4)
  await page.getByRole('button', { name: 'Send', exact: true }).click()
}

test('without a script a visitor withdraws, and asks for a correction that the admin sees', async ({
  browser,
}) => {
  const reception = await deskOfRole('reception')
  const phone = `98${String(Date.now()).slice(-8)}`
  const visit = await reception.register({ name: 'Asha Kulkarni', phone })
  await reception.consent(visit)
  const path = await reception.pageOf(visit)
  const context = await browser.newContext({ viewport, javaScriptEnabled: false })
  const page = await context.newPage()
  provoke(page, wrongDigits)
  await page.goto(`${path}?lang=en`)
  await page.getByRole('link', { name: 'Your data' }).click()
  await expect(page.getByRole('heading', { name: 'Your data' })).toBeVisible()
  for (const secret of ['Kulkarni', phone]) expect(await page.content()).not.toContain(secret)
  await page.getByRole('button', { name: 'Send me no more messages' }).click()
  await expect(page.getByText('No messages are sent to your mobile number.')).toBeVisible()
  expect(await reception.consents(visit)).toEqual([
    expect.objectContaining({ purpose: 'messages', withdrawnBy: 'Visitor' }),
  ])

  const text = `My name is written wrong, ${phone.slice(-6)}`
  await ask(page, text, phone.endsWith('0000') ? '0001' : '0000')
  await expect(page.getByLabel('Last four digits of your mobile number')).toHaveAccessibleDescription(
    'These are not the last four digits of the number that the desk has.',
  )
  await expect(page.getByLabel('What exactly?')).toHaveValue(text)
  await ask(page, text, phone.slice(-4))
  await expect(page.getByRole('status')).toHaveText('The office has your request and answers within 30 days.')
  await page.getByRole('link', { name: 'Privacy notice' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await context.close()

  const admin = await arrive(browser, accountOf('admin'), { at: adminPlaces.privacy })
  await expect(admin.page.getByText(text).first()).toBeVisible()
  await admin.context.close()
})

test('the pages about the data have no violation in each language, narrow, dark and with large letters', async ({
  browser,
}) => {
  const reception = await deskOfRole('reception')
  const visit = await reception.register({ name: 'Asha Kulkarni' })
  await reception.consent(visit)
  const path = await reception.pageOf(visit)
  const context = await browser.newContext({ viewport })
  const page = await context.newPage()
  provoke(page, wrongDigits)
  const check = async (what: string) => {
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      expect.soft(await violationsOf(page), `${what}, ${colorScheme}`).toEqual([])
    }
    await page.evaluate(() => (document.documentElement.style.fontSize = '200%'))
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
    expect.soft(wide, `${what} is wider than the window`).toBeLessThanOrEqual(0)
  }
  let data = ''
  for (const language of languages) {
    await page.goto(`${path}?lang=${language}`)
    await page.locator('a[href*="/data?"]').click()
    await page.waitForURL(/\/data\?lang=/)
    data = new URL(page.url()).pathname
    await check(`the data in ${language}`)
    await page.locator('select').selectOption('grievance')
    await page.locator('form.join button').click()
    await expect(page.getByRole('alert')).toBeVisible()
    await check(`an incomplete request in ${language}`)
    await page.goto(`/q/notice?lang=${language}`)
    await expect(page.locator('html')).toHaveAttribute('lang', /^[a-z]+$/)
    await check(`the notice in ${language}`)
  }
  await page.goto(`${data}?sent&lang=en`)
  await check('sent')
  await context.close()
})
