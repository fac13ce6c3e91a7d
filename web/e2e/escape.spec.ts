import type { Page } from '@playwright/test'
import { busyOffice } from './desk'
import { accountOf, arrive, hire, type Account } from './people'
import { chooseItem } from './queue'
import { expect, test } from './test'

const wide = { width: 1440, height: 900 }
const narrow = { width: 390, height: 844 }

type Case = {
  account: () => Account | Promise<Account>
  at?: string
  /** Opens an overlay. */
  open: (page: Page) => Promise<void>
  title: RegExp
}

const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).first().click()

const cases: Record<string, Case> = {
  reception: {
    account: () => accountOf('reception'),
    open: async (page) => {
      await press(page, /^Actions for T-/)
      await chooseItem(page, 'Correct...')
    },
    title: /^Correct/,
  },
  'the PA': {
    account: () => accountOf('pa'),
    open: (page) => press(page, 'Close the day'),
    title: /^Who is still here$/,
  },
  'a consultant': {
    account: () => hire('consultant'),
    open: (page) => press(page, 'Change'),
    title: /^Desk of/,
  },
  'the administrator': {
    account: () => accountOf('admin'),
    at: '/dashboard/admin?tab=staff',
    open: (page) => press(page, 'Skills'),
    title: /^Who serves what$/,
  },
}

for (const [user, { account, at, open, title }] of Object.entries(cases)) {
  test(`an overlay of ${user} fits after the window was resized, and Escape closes it`, async ({
    browser,
  }) => {
    await busyOffice(1)
    const { page, context } = await arrive(browser, await account(), {
      viewport: wide,
      ...(at ? { at } : {}),
    })
    const overlay = page.getByRole('dialog', { name: title })
    const widthOfPage = () => page.evaluate(() => document.documentElement.scrollWidth)
    await open(page)
    await expect(overlay).toBeVisible()
    await page.setViewportSize(narrow)
    await expect(page.locator('.admin-tabs, .pa-foot, .consultant-desk, .visit-form').first()).toBeVisible()
    await expect(overlay).toBeVisible()
    await expect.poll(async () => (await overlay.boundingBox())?.width ?? Infinity).toBeLessThanOrEqual(390)
    // The page is one scroll bar narrower while a dialog is open.
    await expect.poll(widthOfPage).toBeLessThanOrEqual(narrow.width)
    await page.keyboard.press('Escape')
    await expect(overlay).toBeHidden()
    await page.setViewportSize(wide)
    await expect.poll(widthOfPage).toBe(wide.width)
    await expect(page.getByRole('heading', { level: 1 })).toBeInViewport({ ratio: 1 })
    await open(page)
    await expect(overlay).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(overlay).toBeHidden()
    await context.close()
  })
}
