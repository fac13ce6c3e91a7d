import { expectAccessible } from './accessibility'
import { accountOf, arrive } from './people'
import { openMore } from './queue'
import { expect, test } from './test'

test('the privacy notice opens at registration by keyboard, in the language of the visitor, and is one page', async ({
  browser,
}) => {
  const { page, context } = await arrive(browser, accountOf('reception'), { theme: 'system' })
  await openMore(page)
  await page.getByRole('combobox', { name: "Visitor's language" }).click()
  await page.locator('.ant-select-item-option').filter({ hasText: 'हिन्दी' }).click()
  await page.keyboard.press('Tab')
  const line = page.getByRole('button', { name: 'Privacy notice: हिन्दी' })
  await expect(line).toBeFocused()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog')
  await expect(dialog.locator('.notice-text')).toHaveAttribute('lang', 'hi')
  await expectAccessible(page, 'the privacy notice at reception')

  await page.emulateMedia({ media: 'print' })
  await expect(page.locator('.notice-sheet')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Receptionist Dashboard' })).toBeHidden()
  const pdf = (await page.pdf({ preferCSSPageSize: true })).toString('latin1')
  const boxes = [...pdf.matchAll(/\/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]/g)]
  expect(boxes.map(([, width]) => Math.round((Number(width) / 72) * 25.4))).toEqual([210])
  await page.emulateMedia({ media: 'screen' })
  await page.keyboard.press('Escape')
  await expect(line).toBeFocused()
  await context.close()
})
