import type { Page } from '@playwright/test'
import { violationsOf } from './accessibility'
import { monday } from './appointment-days'
import { newPhone } from './appointment-requests'
import { looks } from './extent'
import { accountOf, arrive } from './people'
import { expect, test } from './test'

const at = `/dashboard/receptionist?tab=appointments&day=${monday}`

/** Counts the keys that are pressed beside the texts. */
function countKeys(page: Page) {
  let keys = 0
  const press = async (key: string) => {
    keys += 1
    await page.keyboard.press(key)
  }
  return { press, keys: () => keys }
}

const rowOf = (page: Page, name: string) => page.getByRole('listitem', { name, exact: true })

for (const { width, theme, name: look } of looks) {
  test(`a phone call is booked, moved, cancelled and taken back by keyboard at ${look}`, async ({
    browser,
  }) => {
    const { page, context } = await arrive(browser, accountOf('reception'), {
      at,
      theme,
      viewport: { width, height: 900 },
    })
    const name = `Leela ${Date.now() % 1_000_000}`
    const { press, keys } = countKeys(page)
    await press('Shift+F4')
    const dialog = page.getByRole('dialog', { name: 'New appointment' })
    await expect(dialog.getByLabel('Phone')).toBeFocused()
    await page.keyboard.type(newPhone())
    await press('Tab')
    await page.keyboard.type(name)
    await press('Tab')
    await page.keyboard.type('GST Registration')
    await press('Enter')
    await expect(dialog).toContainText(/AM|PM/)
    expect(await violationsOf(page)).toEqual([])
    await press('Control+Enter')
    await expect(dialog).toBeHidden()
    expect(keys()).toBeLessThan(20)

    const row = rowOf(page, name)
    await expect(row).toContainText('Confirmed')
    await row.press('m')
    const move = page.getByRole('dialog', { name: `Move the appointment of ${name}` })
    await expect(move).toContainText(/AM|PM/)
    await page.keyboard.press('Escape')
    await row.press('Delete')
    await expect(row).toContainText('Cancelled')
    await page.keyboard.press('Control+F9')
    await expect(row).toContainText('Confirmed')
    expect(await violationsOf(page)).toEqual([])
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
    expect(overflow).toBeLessThanOrEqual(0)
    await context.close()
  })
}

test('PA and admin see the same day, and only reception and admin check in', async ({ browser }) => {
  for (const role of ['pa', 'admin'] as const) {
    const place = role === 'pa' ? 'pa?tab=appointments' : 'admin?tab=office&page=appointments'
    const { page, context } = await arrive(browser, accountOf(role), {
      at: `/dashboard/${place}&day=${monday}`,
    })
    await expect(page.getByRole('button', { name: 'Day after' })).toBeVisible()
    await expect(page.getByRole('button', { name: /^New appointment/ })).toBeVisible()
    expect(await violationsOf(page)).toEqual([])
    await context.close()
  }
})
