import type { Locator, Page } from '@playwright/test'
import { expectAccessible } from './accessibility'
import { registered } from './answers'
import { deskFor, deskOfRole } from './desk'
import { languages } from './extent'
import { accountOf, arrive } from './people'
import { expectActive, openMore } from './queue'
import { expect, test } from './test'

/**
 * Prints the page to PDF, and asserts that the PDF has a single page. Returns the width of that page in millimetres.
 */
async function onlyPage(page: Page) {
  const pdf = (await page.pdf({ preferCSSPageSize: true })).toString('latin1')
  const boxes = [...pdf.matchAll(/\/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]/g)]
  expect(boxes).toHaveLength(1)
  return Math.round((Number(boxes[0]?.[1]) / 72) * 25.4)
}

/** Counts calls of window.print instead of printing. The test itself prints to PDF while the receipt is on the page. */
const recordPrints = (page: Page) =>
  page.addInitScript(() => {
    Object.assign(window, { prints: 0, print: () => Object.assign(window, { prints: window.prints + 1 }) })
  })

declare global {
  // eslint-disable-next-line @typescript-eslint/consistent-type-definitions -- only an interface can be merged
  interface Window {
    prints: number
  }
}

const printsOf = (page: Page) => page.evaluate(() => window.prints)

/** Prints the slip on each paper width, and asserts that it has a single page. */
async function expectSlips(page: Page) {
  for (const [chosen, next, width] of [
    ['58 mm', '80 mm', 80],
    ['80 mm', 'A6', 105],
    ['A6', '58 mm', 58],
  ] as const) {
    await page.getByRole('button', { name: `Paper width: ${chosen}` }).click()
    await page.getByRole('menuitem', { name: next }).click()
    expect(await onlyPage(page)).toBe(width)
  }
}

/** Chooses an option in a field of a paper, the document that a visitor brings. */
async function choose(paper: Locator, field: string, option: string) {
  await paper.getByLabel(field).click()
  const list = paper.page().locator('.ant-select-dropdown:visible')
  await list.getByTitle(option, { exact: true }).click()
  // This waits, because axe would find a list without a name while the list closes.
  await expect(list).toHaveCount(0)
}

async function register(page: Page, name: string) {
  await page.getByLabel('Visitor Name').fill(name)
  await page.getByLabel('Phone Number').fill(String(9_000_000_000 + (Date.now() % 999_999_999)))
  await page.getByLabel('Service Required').click()
  await page.keyboard.type('ITR')
  await expectActive(page, 'ITR')
  await page.keyboard.press('Enter')
  await openMore(page)
  await page.getByRole('checkbox', { name: 'Aadhaar card' }).check()
}

const missing = 'Missing: PAN card, Bank statements of the year'

test('what is missing at registration is on the slip, with the PA and with the consultant', async ({
  browser,
}) => {
  const { page, context } = await arrive(browser, accountOf('reception'), { theme: 'system' })
  const name = `Missing ${Date.now() % 1_000_000}`
  await register(page, name)
  await expectAccessible(page, 'the checklist of a registration')
  await page.keyboard.press('Control+Enter')
  await expect(page.getByText(registered)).toBeVisible()
  const slip = page.locator('.token-slip')
  await expect(slip).toContainText('Please bring: PAN card, Bank statements of the year')
  await expect(slip).toContainText('कृपया लाएँ: पैन कार्ड')
  await expectSlips(page)
  await expect(page.locator('.ledger [data-visit]').filter({ hasText: name })).toContainText(missing)
  await expectAccessible(page, 'a ticket with missing papers')

  const pa = await arrive(browser, accountOf('pa'))
  await expect(pa.page.getByRole('article', { name: new RegExp(name) })).toContainText(missing)
  await pa.context.close()

  const desk = await deskOfRole('pa')
  const consultant = accountOf('consultant')
  const visit = (await desk.today()).visits.find((one) => one.name === name)
  if (!visit) throw new Error('the visit is not in the list of today')
  await desk.approve(visit, (await deskFor(consultant)).userId)
  const at = await arrive(browser, consultant)
  await expect(at.page.locator('.my-queue-entry').filter({ hasText: name })).toContainText(missing)
  await desk.act(visit, 'leave')
  await at.context.close()
  await context.close()
})

test('papers are left with a receipt in two languages, printed again as a duplicate, and returned', async ({
  browser,
}) => {
  const { page, context } = await arrive(browser, accountOf('reception'), { theme: 'system' })
  await recordPrints(page)
  await page.reload()
  const name = `Papers ${Date.now() % 1_000_000}`
  await register(page, name)
  await page.keyboard.press('Control+Enter')
  await expect(page.getByText(registered)).toBeVisible()
  await page.keyboard.press('F8')
  await page.keyboard.type(name)
  await expect(page.locator('.ledger [data-visit]')).toHaveCount(1)
  await page.keyboard.press('Control+F2')
  const dialog = page.getByRole('dialog')
  const aadhaar = dialog.getByRole('group', { name: 'Aadhaar card' })
  await choose(aadhaar, 'Where it is', 'Left with us')
  await choose(aadhaar, 'Original / Copy', 'Original')
  await aadhaar.getByLabel('Pages').fill('2')
  await expectAccessible(page, 'the papers of a visit')
  await dialog.getByRole('button', { name: 'Save papers' }).click()
  await expect(dialog).toBeHidden()

  await page.keyboard.press('Control+F2')
  await dialog.getByRole('button', { name: 'Print acknowledgement' }).click()
  await expect.poll(() => printsOf(page)).toBe(1)
  const receipt = page.locator('.receipt-slip')
  await expect(receipt).toContainText(/ACK-\d{4}-\d{6}/)
  await expect(receipt).toContainText('Aadhaar card (Original, 2 pages)')
  await expect(receipt).toContainText('आधार कार्ड (मूल')
  await expect(receipt).not.toContainText('DUPLICATE')
  expect(await onlyPage(page)).toBe(80)
  const number = await receipt.locator('.receipt-number').textContent()
  await choose(dialog, 'Paper', 'A6')
  expect(await onlyPage(page)).toBe(105)
  await choose(dialog, 'Paper', '80 mm')
  await dialog.getByRole('button', { name: 'Print acknowledgement' }).click()
  await expect(receipt).toContainText('DUPLICATE')
  await expect(receipt.locator('.receipt-number')).toHaveText(number ?? '')
  await expect.poll(() => printsOf(page)).toBe(2)

  await choose(aadhaar, 'Where it is', 'Returned')
  await expect(dialog.getByText('Save the papers first')).toBeVisible()
  await dialog.getByRole('button', { name: 'Save papers' }).click()
  await expect(dialog).toBeHidden()
  await page.keyboard.press('Control+F2')
  await dialog.getByRole('button', { name: 'Print return slip' }).click()
  await expect(receipt).toContainText('Papers returned')
  await expect(receipt).toContainText(number ?? '')
  expect(await onlyPage(page)).toBe(80)
  await context.close()
})

/** A label in Tamil, whose script is the widest. */
const wideLabel = 'கடந்த நிதியாண்டின் வங்கி அறிக்கைகளின் நகல்கள்'

test('slips and receipts are one page in each language, also with long texts', async ({ browser }) => {
  test.slow()
  const visit = await (await deskOfRole('reception')).register({ name: 'One page' })
  const { page, context } = await arrive(browser, accountOf('reception'))
  await recordPrints(page)
  let language = 'en'
  await page.route('**/api/visits/today', async (route) => {
    const { visits } = (await (await route.fetch()).json()) as { visits: { id: string }[] }
    const papers = Array.from({ length: 12 }, () => ({ key: null, label: wideLabel }))
    const long = {
      name: 'Venkataramanan '.repeat(6).trim(),
      language,
      documents: { missing: papers, left: 0 },
    }
    const shown = visits.map((one) => (one.id === visit.id ? { ...one, ...long } : one))
    await route.fulfill({ json: { visits: shown } })
  })
  const documents = Array.from({ length: 20 }, (_, index) => ({
    no: index + 1,
    key: null,
    label: `Deed of the plot ${index + 1}`,
    required: false,
    state: 'left',
    form: 'original',
    pages: 12,
    acknowledgement: null,
  }))
  await page.route('**/api/visits/*/documents', (route) => route.fulfill({ json: { documents, version: 1 } }))
  const acknowledgement = {
    no: 'ACK-2026-000001',
    visitId: visit.id,
    at: new Date().toISOString(),
    by: 'Divya',
  }
  await page.route('**/api/visits/*/acknowledgement', (route) =>
    route.fulfill({ json: { acknowledgement: { ...acknowledgement, documents }, duplicate: true } }),
  )
  for (language of languages) {
    await page.reload()
    await page.getByRole('searchbox').fill(visit.token)
    await expect(page.locator('.ledger [data-visit]')).toHaveCount(1)
    await page.getByRole('button', { name: `Show ${visit.token} again` }).click()
    await expect(page.locator(`.token-slip[lang=${language}]`)).toContainText(wideLabel)
    await expectSlips(page)
    await page.getByRole('searchbox').focus()
    await page.keyboard.press('Control+F2')
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Print acknowledgement' }).click()
    await expect(page.locator(`.receipt-slip :lang(${language})`).first()).toBeAttached()
    expect(await onlyPage(page)).toBe(80)
    await choose(dialog, 'Paper', 'A6')
    expect(await onlyPage(page)).toBe(105)
    await choose(dialog, 'Paper', '80 mm')
  }
  await context.close()
})
