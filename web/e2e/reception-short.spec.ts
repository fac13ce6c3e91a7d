import type { Page } from '@playwright/test'
import { registered } from './answers'
import { deskOfRole, emptyLine, welcome, type Visit } from './desk'
import { languages } from './extent'
import { answerNeeds, unansweredCall } from './needs'
import { accountOf, arrive } from './people'
import { find, openMore, queueOf } from './queue'
import { expect, test } from './test'

// The tests share the line of their installation, so they run one after the other.
test.describe.configure({ mode: 'serial' })

const newPhone = () => String(6_000_000_000 + (Date.now() % 999_999_999))
const create = (page: Page) => page.locator('.visit-form button[type="submit"]')
const bottomOf = async (page: Page) => {
  const box = await create(page).boundingBox()
  return (box?.y ?? 0) + (box?.height ?? 0)
}

/** Loads the page again with an entry in its head, about a call that was not answered. */
async function showChip(page: Page, visit: Visit) {
  await answerNeeds(page, [unansweredCall(visit)])
  await expect(page.locator('.attention li').first()).toBeVisible()
}

test('Create Token ends above 712 px at 1280x720, also with a chip and a known visitor', async ({
  browser,
}) => {
  const phone = newPhone()
  const visit = await (await deskOfRole('reception')).register({ name: 'Asha Kulkarni', phone })
  const viewport = { width: 1280, height: 720 }
  for (const language of languages) {
    const { page, context } = await arrive(browser, accountOf('reception'), { viewport, language })
    await showChip(page, visit)
    await expect(create(page)).toBeVisible()
    expect(await bottomOf(page), language).toBeLessThanOrEqual(712)
    await page.locator('.visit-form input[type="tel"]').fill(phone)
    // The data known about the number end with the button for another person: if that is visible, all data
    // are.
    await expect(page.locator('.same-number li').last().getByRole('button')).toBeVisible()
    await expect(page.locator('.known-visitor > p')).toContainText('Asha Kulkarni')
    expect(await bottomOf(page), language).toBeLessThanOrEqual(712)
    expect(await page.evaluate(() => document.documentElement.scrollWidth), language).toBe(1280)
    await context.close()
  }
})

test(
  'the waiting visitors stand in the order of the line, new ones below it, and by token when chosen',
  { tag: '@main' },
  async ({ browser }) => {
    await emptyLine()
    const pa = await deskOfRole('pa')
    const three = await welcome(3)
    for (const visit of three.toReversed()) await pa.sendToLine(visit)
    await pa.act(three[2] ?? { id: '' }, 'class', { class: 'priority' })
    const [fresh] = await welcome(1)
    const { page, context } = await arrive(browser, accountOf('reception'))
    const rows = queueOf(page).getByRole('listitem')
    const shown = () => rows.evaluateAll((all) => all.map((row) => /[A-Z]-\d{3,}/.exec(row.textContent)?.[0]))
    const { line } = await pa.line()
    const inLine = line.map(({ token }) => token)
    const shownOfLine = async () => (await shown()).filter((token) => inLine.includes(token ?? ''))
    await expect.poll(shownOfLine).toEqual(inLine)
    for (const [index, { token }] of line.entries())
      await expect(rows.filter({ hasText: token })).toContainText(`Waiting, no. ${index + 1}`)
    // The search is needed because a long list draws only the visible rows.
    await expect(await find(page, fresh?.token ?? '')).toContainText('Waiting for approval')
    await page.getByRole('searchbox').fill('')

    await page.getByRole('button', { name: 'Token', exact: true }).click()
    await expect(page).toHaveURL(/order=token/)
    await page.goto('/dashboard/receptionist')
    const byToken = page.getByRole('button', { name: 'Token', exact: true })
    await expect(byToken).toHaveAttribute('aria-pressed', 'true')
    await expect(rows.first()).toBeVisible()
    // Tokens of desks without network begin with another letter. They stand between the T tokens, by arrival.
    const tokens = (await shown()).filter((token) => token?.startsWith('T-'))
    expect(tokens).toEqual(tokens.toSorted())
    await page.getByRole('button', { name: 'No.', exact: true }).click()
    await expect.poll(shownOfLine).toEqual(inLine)
    await context.close()
  },
)

test('a number that has a token today shows the ticket again, or registers another person', async ({
  browser,
}) => {
  const phone = newPhone()
  const visit = await (await deskOfRole('reception')).register({ name: 'Asha Kulkarni', phone })
  const { page, context } = await arrive(browser, accountOf('reception'))
  await page.getByLabel('Phone Number').fill(phone)
  await expect(page.getByText(`${visit.token} of Asha Kulkarni waits for approval`)).toBeVisible()
  await page.getByRole('button', { name: `Show ${visit.token}`, exact: true }).click()
  await expect(page.getByRole('article', { name: `Token ${visit.token}` })).toBeVisible()
  await page.getByRole('button', { name: 'Register another person' }).click()
  await expect(page.getByLabel('Visitor Name')).toBeFocused()
  await expect(page.getByText(/waits for approval$/)).toHaveCount(0)
  await context.close()
})

test('the folded fields open by themselves for a service for which they were used', async ({ browser }) => {
  const { page, context } = await arrive(browser, accountOf('reception'))
  const line = page.getByRole('button', { name: /^More: / })
  const choose = async () => {
    await page.getByLabel('Service Required').click()
    await page.getByTitle('GST Registration').click()
  }
  await page.getByLabel('Visitor Name').fill('Asha Kulkarni')
  await page.getByLabel('Phone Number').fill(newPhone())
  await choose()
  await expect(line).toHaveAttribute('aria-expanded', 'false')
  await openMore(page)
  await page.getByRole('combobox', { name: 'Priority' }).click()
  await page.locator('.ant-select-item-option').filter({ hasText: 'Deadline today' }).click()
  await create(page).click()
  await expect(page.getByText(registered)).toBeVisible()
  await expect(line).toHaveText(/^More: Normal/)
  await expect(line).toHaveAttribute('aria-expanded', 'false')
  await choose()
  await expect(line).toHaveAttribute('aria-expanded', 'true')
  await context.close()
})
