import type { Page } from '@playwright/test'
import { expectAccessible } from './accessibility'
import { adminPlaces } from './admin-places'
import { accountOf, arrive } from './people'
import { expect, test } from './test'

const tab = (page: Page, name: string) => page.getByRole('tab', { name: new RegExp(`(^| )${name}$`) })
const loaded = (page: Page) => expect(page.locator('.skeleton:visible')).toHaveCount(0)

test('an admin opens every page of Office by keyboard', async ({ browser }) => {
  const { page, context } = await arrive(browser, accountOf('admin'), { theme: 'system' })
  await expect(page.getByRole('tab')).toHaveText([
    'Analytics',
    'Visitors',
    'Services',
    /^Staff/, // followed by the number of people who wait for approval
    'Audit Trail',
    'Office',
  ])
  await tab(page, 'Office').press('Enter')
  await expect(tab(page, 'Office')).toHaveAttribute('aria-selected', 'true')
  const list = page.getByRole('navigation', { name: 'Office' })
  await list.getByRole('link').first().focus()
  for (const name of ['Settings', 'Appointments', 'Waiting room', 'Messages', 'Due dates', 'Privacy']) {
    const link = list.getByRole('link', { name, exact: true })
    await expect(link).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(link).toHaveAttribute('aria-current', 'page')
    await expect(link).toBeFocused()
    await loaded(page)
    await expectAccessible(page, name)
    await link.focus() // A narrow window has no list.
    await page.keyboard.press('Tab')
  }
  await expect(page).toHaveURL(adminPlaces.privacy)
  await page.reload()
  await expect(list.locator('[aria-current="page"]')).toHaveText('Privacy')
  await context.close()
})

test('the views of Analytics are chosen by arrow keys and have addresses', async ({ browser }) => {
  const { page, context } = await arrive(browser, accountOf('admin'), { theme: 'system' })
  await page.getByRole('radio', { name: 'Today' }).focus()
  await page.keyboard.press('ArrowRight')
  await expect(page).toHaveURL(adminPlaces.reports)
  await loaded(page)
  await page.keyboard.press('ArrowRight')
  await expect(page).toHaveURL(adminPlaces.accuracy)
  await loaded(page)
  await expectAccessible(page, 'the accuracy of the forecasts')
  await page.reload()
  await expect(page.getByRole('radio', { name: 'Forecast accuracy' })).toBeChecked()
  await context.close()
})

test('on a phone a select opens the pages of Office', async ({ browser }) => {
  const viewport = { width: 390, height: 844 }
  const { page, context } = await arrive(browser, accountOf('admin'), {
    at: '/dashboard/admin?tab=office',
    viewport,
  })
  await page.getByRole('combobox', { name: 'Office' }).click()
  await page.locator('.ant-select-dropdown:visible').getByTitle('Waiting room', { exact: true }).click()
  await expect(page).toHaveURL(adminPlaces.waitingRoom)
  await expect(page.getByRole('button', { name: 'Add screen' })).toBeVisible()
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(viewport.width)
  await context.close()
})

test('the addresses of former tabs lead to their contents', async ({ browser }) => {
  const { page, context } = await arrive(browser, accountOf('admin'))
  for (const [former, place] of [
    ['accuracy', adminPlaces.accuracy],
    ['screens', adminPlaces.waitingRoom],
    ['pages', adminPlaces.messages],
    ['due-dates', adminPlaces.dueDates],
    ['privacy', adminPlaces.privacy],
  ] as const) {
    await page.goto(`/dashboard/admin?tab=${former}`)
    await expect(page).toHaveURL(place)
  }
  await page.goto('/dashboard/admin?tab=reports&days=30')
  await expect(page.getByRole('button', { name: '30 days', pressed: true })).toBeVisible()
  await context.close()
})
