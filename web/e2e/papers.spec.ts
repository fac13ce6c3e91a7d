import type { Page } from '@playwright/test'
import { accountOf, arrive } from './people'
import { expect, test } from './test'

/** The size in millimetres of the only page of a PDF. */
async function onlyPage(page: Page) {
  const pdf = (await page.pdf({ preferCSSPageSize: true })).toString('latin1')
  const boxes = [...pdf.matchAll(/\/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]/g)]
  expect(boxes).toHaveLength(1)
  return Math.round((Number(boxes[0]?.[1]) / 72) * 25.4)
}

/** window.print is recorded: a PDF is made of the page while the receipt is on it. */
const recordPrints = (page: Page) =>
  page.addInitScript(() => {
    Object.assign(window, { prints: 0, print: () => Object.assign(window, { prints: window.prints + 1 }) })
  })

declare global {
  interface Window {
    prints: number
  }
}

test('papers are ticked at the desk, asked for on the slip, left with a receipt and returned', async ({ browser }) => {
  const { page, context } = await arrive(browser, accountOf('reception'))
  await recordPrints(page)
  await page.reload()
  const name = `Papers ${Date.now() % 1_000_000}`
  await page.getByLabel('Visitor Name').fill(name)
  await page.getByLabel('Phone Number').fill(String(9_000_000_000 + (Date.now() % 999_999_999)))
  await page.getByLabel('Service Required').click()
  await page.keyboard.type('ITR')
  await page.keyboard.press('Enter')
  await page.getByRole('checkbox', { name: 'Aadhaar card' }).check()
  await page.keyboard.press('Control+Enter')
  await expect(page.getByText(/Token T-\d+ created successfully/)).toBeVisible()

  // One page each, with what is missing.
  await expect(page.locator('.token-slip')).toContainText(
    'Please bring: PAN card, Bank statements of the year',
  )
  for (const [chosen, next, width] of [
    ['58 mm', '80 mm', 80],
    ['80 mm', 'A6', 105],
    ['A6', '58 mm', 58],
  ] as const) {
    await page.getByRole('button', { name: `Paper width: ${chosen}` }).click()
    await page.getByRole('menuitem', { name: next }).click()
    expect(await onlyPage(page)).toBe(width)
  }

  const row = page.locator('.ledger [data-visit]').filter({ hasText: name })
  await page.keyboard.press('F8')
  await page.keyboard.type(name)
  await expect(row).toContainText('Missing: PAN card, Bank statements of the year')
  await page.keyboard.press('Control+F2')
  const dialog = page.getByRole('dialog')
  const aadhaar = dialog.getByRole('group', { name: 'Aadhaar card' })
  await aadhaar.getByLabel('Where it is').click()
  await page.getByTitle('Left with us').last().click()
  await dialog.getByRole('button', { name: 'Save papers' }).click()
  await expect(dialog).toBeHidden()

  await page.keyboard.press('Control+F2')
  await dialog.getByRole('button', { name: 'Print acknowledgement' }).click()
  await expect.poll(() => page.evaluate(() => window.prints)).toBe(1)
  const receipt = page.locator('.receipt-slip')
  await expect(receipt).toContainText(/ACK-\d{4}-\d{6}/)
  await expect(receipt).toContainText('आधार कार्ड')
  await expect(receipt).not.toContainText('DUPLICATE')
  expect(await onlyPage(page)).toBe(80)
  await dialog.getByRole('button', { name: 'Print acknowledgement' }).click()
  await expect(receipt).toContainText('DUPLICATE')
  await context.close()
})
