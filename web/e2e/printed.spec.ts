import type { Page } from '@playwright/test'
import { deskOfRole } from './desk'
import { languages } from './extent'
import { printOf, type Print } from './pdf'
import { accountOf, arrive } from './people'
import { expect, test } from './test'

// Slips and receipts are compared with files that a person has checked. Texts must be equal; in bitmaps, at most this
// share of the dots may differ.
const bitmap = { maxDiffPixelRatio: 0.01 }

const link = 'HTTPS://OFFICE.EXAMPLE/Q/7K3M9QZT4W8XRB2NVH5C'
const at = '2026-07-31T05:12:00.000Z'
const shown = { token: 'T-942', name: 'Sunita Deshpande', createdAt: at }

const paper = (no: number, key: string, label: string, state: string) => ({
  no,
  key,
  label,
  required: true,
  state,
  form: no === 1 ? 'original' : 'copy',
  pages: no,
  note: '',
  by: 'Asha Kulkarni',
  at,
  acknowledgement: state === 'returned' ? 'ACK-2026-000122' : null,
})

/** Registers a visit that the page shows with the same data on every day and every machine. */
async function fixedVisit(page: Page, language: () => string) {
  const visit = await (await deskOfRole('reception')).register({ name: 'Printed' }, 'ITR Filing')
  await (await deskOfRole('pa')).sendToLine(visit)
  await page.route('**/api/visits/today', async (route) => {
    const { visits } = (await (await route.fetch()).json()) as { visits: { id: string; queue: object }[] }
    const missing = [{ key: 'pan', label: 'PAN card' }]
    const fixed = visits.map((one) =>
      one.id === visit.id
        ? {
            ...one,
            ...shown,
            language: language(),
            documents: { missing, left: 0 },
            queue: {
              ...one.queue,
              forecast: { from: '2026-07-31T05:30:00.000Z', to: '2026-07-31T06:05:00.000Z', early: false },
            },
          }
        : one,
    )
    await route.fulfill({ json: { visits: fixed } })
  })
  await page.route('**/api/visits/line', async (route) => {
    const answer = (await (await route.fetch()).json()) as { line: { visitId: string; position: number }[] }
    const line = answer.line.map((one) => (one.visitId === visit.id ? { ...one, position: 3 } : one))
    await route.fulfill({ json: { ...answer, line } })
  })
  await page.route('**/api/lobby/visits/*/link', (route) =>
    route.fulfill({ json: { link: { url: link, opens: 0, expires: at } } }),
  )
  return visit
}

function expectGolden(print: Print, name: string) {
  expect(`${print.width} x ${print.height} mm\n${print.text}`, name).toMatchSnapshot(`${name}.txt`)
  expect(print.bitmap, name).toMatchSnapshot(`${name}.png`, bitmap)
}

test('slips in each language are the known sheets, and zbar reads the code on each', async ({ browser }) => {
  const { page, context } = await arrive(browser, accountOf('reception'))
  let language = 'en'
  const visit = await fixedVisit(page, () => language)
  for (language of languages) {
    await page.reload()
    await page.getByRole('searchbox').fill('T-942')
    await page
      .locator(`.ledger [data-visit="${visit.id}"]`)
      .getByRole('button', { name: 'Show T-942 again' })
      .click()
    await expect(page.locator(`.token-slip[lang=${language}] svg`)).toBeAttached()
    await expect(page.locator('.token-slip-place')).toContainText('3')
    await expect(page.locator('.token-slip-notice')).toContainText(`office.example/q/notice?lang=${language}`)
    for (const [chosen, next] of [
      ['58 mm', '80 mm'],
      ['80 mm', 'A6'],
      ['A6', '58 mm'],
    ] as const) {
      await page.getByRole('button', { name: `Paper width: ${chosen}` }).click()
      await page.getByRole('menuitem', { name: next }).click()
      const print = await printOf(page)
      expect(print.codes).toEqual([link])
      expect(print.text).toContain('T-942')
      expectGolden(print, `slip-${next.replace(' mm', '').toLowerCase()}-${language}`)
    }
  }
  await context.close()
})

test('receipts in each language are the known sheets: left, printed again, returned', async ({ browser }) => {
  const { page, context } = await arrive(browser, accountOf('reception'))
  await page.addInitScript(() => Object.assign(window, { print: () => undefined }))
  let language = 'en'
  const visit = await fixedVisit(page, () => language)
  const papers = [paper(1, 'pan', 'PAN card', 'left'), paper(2, 'aadhaar', 'Aadhaar card', 'returned')]
  await page.route('**/api/visits/*/documents', (route) =>
    route.fulfill({ json: { documents: papers, version: 1, acknowledgement: null } }),
  )
  let duplicate = false
  await page.route('**/api/visits/*/acknowledgement', (route) =>
    route.fulfill({
      json: {
        acknowledgement: {
          no: 'ACK-2026-000123',
          visitId: visit.id,
          at,
          by: 'Divya Menon',
          documents: papers.slice(0, 1),
        },
        duplicate,
      },
    }),
  )
  for (language of languages) {
    await page.reload()
    await page.getByRole('searchbox').fill('T-942')
    // This waits, because a row of the list loses the focus when the search replaces the list.
    await expect(page.locator('.ledger [data-visit]')).toHaveCount(1)
    await page.locator(`.ledger [data-visit="${visit.id}"]`).click()
    await page.keyboard.press('Control+F2')
    const dialog = page.getByRole('dialog')
    const receipt = page.locator('.receipt-slip')
    for (const [kind, button, numbers, size] of [
      ['left', 'Print acknowledgement', 'ACK-2026-000123', 'A6'],
      ['left', 'Print acknowledgement', 'ACK-2026-000123', '80 mm'],
      ['again', 'Print acknowledgement', 'ACK-2026-000123', '80 mm'],
      ['returned', 'Print return slip', 'ACK-2026-000122', '80 mm'],
    ] as const) {
      duplicate = kind === 'again'
      await dialog.getByRole('button', { name: button }).click()
      await expect(receipt.locator('.receipt-duplicate')).toHaveCount(duplicate ? 1 : 0)
      await expect(receipt.locator('.receipt-number')).toHaveText(numbers)
      await expect(receipt.locator('svg')).toBeAttached()
      await dialog.getByLabel('Paper').click()
      await page.locator('.ant-select-dropdown:visible').getByTitle(size, { exact: true }).click()
      const print = await printOf(page)
      expect(print.codes).toEqual([link])
      expect(print.text).toContain(numbers)
      expectGolden(print, `receipt-${kind}-${size.replace(' mm', '').toLowerCase()}-${language}`)
    }
  }
  await context.close()
})

test('a long name of short words is printed on one slip of each paper', async ({ browser }) => {
  const reception = await deskOfRole('reception')
  // At 58 mm each word has a line of its own, so the name has more lines than its number of letters would need.
  const word = 'Venkataraman'
  const visit = await reception.register({ name: Array<string>(7).fill(word).join(' ') })
  const { page, context } = await arrive(browser, accountOf('reception'))
  await page.getByRole('searchbox').fill(visit.token)
  await page
    .locator(`.ledger [data-visit="${visit.id}"]`)
    .getByRole('button', { name: `Show ${visit.token} again` })
    .click()
  await expect(page.locator('.token-slip .slip-code')).toHaveCount(1)
  for (const [chosen, next, width] of [
    ['58 mm', '80 mm', 58],
    ['80 mm', 'A6', 80],
    ['A6', '58 mm', 105],
  ] as const) {
    const print = await printOf(page)
    expect(print.width).toBe(width)
    expect(print.text.match(new RegExp(word, 'g'))).toHaveLength(7)
    await page.getByRole('button', { name: `Paper width: ${chosen}` }).click()
    await page.getByRole('menuitem', { name: next }).click()
  }
  await context.close()
})
