import type { Page } from '@playwright/test'
import { denied, flashes, registered } from './answers'
import { deskOfRole } from './desk'
import { accountOf, arrive, hire } from './people'
import { openMore } from './queue'
import { expect, test } from './test'

/** Returns a visitor whose phone number and name no other test uses. */
const newVisitor = () => {
  const phone = String(9_000_000_000 + (Date.now() % 999_999_999))
  return { name: `Hurried ${phone}`, phone }
}

test('a double click on Deny denies one visitor, not the next one in the list', async ({ browser }) => {
  const reception = await deskOfRole('reception')
  const first = await reception.register(newVisitor())
  const second = await reception.register(newVisitor())
  const { page, context } = await arrive(browser, accountOf('pa'))
  const card = (name: string) => page.getByRole('article', { name })
  const deny = card(first.name).getByRole('button', { name: 'Deny' })
  await card(first.name).getByPlaceholder('PA Notes').fill('No papers')
  await deny.scrollIntoViewIfNeeded()
  await deny.dblclick()
  await expect(card(first.name)).toHaveCount(0)
  await expect(page.getByText(denied)).toHaveCount(1)
  // When the first card disappears, the second click of a double click may hit a button of the next card. It must have
  // no effect.
  const next = card(second.name).getByRole('button', { name: 'Deny' })
  await next.click({ trial: true })
  await page.mouse.down({ clickCount: 3 })
  await page.mouse.up({ clickCount: 3 })
  await expect(next).toBeEnabled()
  const { visits } = await (await deskOfRole('pa')).pending()
  expect(visits.map(({ id }) => id)).toContain(second.id)
  await (await deskOfRole('pa')).deny(second)
  await context.close()
})

test('a double click creates one account and shows no other message', async ({ page }) => {
  const created: string[] = []
  page.on('request', (request) => {
    if (request.url().endsWith('/sign-up/email')) created.push(request.url())
  })
  await page.goto('/register')
  await page.getByLabel('Full Name').fill('Hurried Visitor')
  await page.getByLabel('Email').fill(`hurried-${Date.now()}@lekha.example`)
  await page.getByLabel('Password').fill('velvet-okra-17')
  const answered = flashes(page, 'Account created successfully')
  await page.getByRole('button', { name: 'Create Account' }).dblclick()
  await answered
  await expect(page).toHaveURL('/login')
  expect(created).toHaveLength(1)
})

test('a double click creates one token, and a validation error disappears with a valid value', async ({
  browser,
}) => {
  const { page, context } = await arrive(browser, accountOf('reception'))
  const visitor = newVisitor()
  const create = page.getByRole('button', { name: 'Create Token' })
  await create.click()
  await expect(page.getByText('Name is required')).toBeVisible()
  await expect(page.getByText('Phone number is required')).toBeVisible()
  await page.getByLabel('Visitor Name').fill(visitor.name)
  await expect(page.getByText('Name is required')).toHaveCount(0)
  await page.getByLabel('Phone Number').fill('98450')
  await expect(page.getByText('Please enter a valid 10-digit phone number')).toBeVisible()
  await page.getByLabel('Phone Number').fill(visitor.phone)
  await expect(page.getByText('Please enter a valid 10-digit phone number')).toHaveCount(0)
  await chooseService(page)
  await openMore(page)
  // The list of papers moves the button, so it must be there before the click.
  await expect(page.getByRole('group', { name: 'Papers' })).toBeVisible()
  await create.dblclick()
  await expect(page.getByText(registered)).toHaveCount(1)
  await expect(page.getByLabel('Visitor Name')).toHaveValue('')
  await expect(page.getByText('is required')).toHaveCount(0)
  await context.close()
})

test("a phone number's tokens of today are shown, and a ticket can be shown again", async ({ browser }) => {
  const { page, context } = await arrive(browser, accountOf('reception'))
  const visitor = newVisitor()
  const visit = await (await deskOfRole('reception')).register(visitor)
  const row = page.getByRole('listitem').filter({ hasText: visitor.name })
  await page.getByLabel('Search token, name or phone').fill(visitor.name)
  await row.getByRole('button', { name: `Show ${visit.token} again` }).click()
  await expect(page.getByRole('heading', { name: visitor.name })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Print Token' })).toBeVisible()
  await page.getByLabel('Phone Number').fill(visitor.phone)
  await expect(page.getByText(`${visit.token} of ${visitor.name} waits for approval`)).toBeVisible()
  await context.close()
})

test('a long name does not make the page wider than a phone', async ({ browser }) => {
  const account = await hire('consultant', 'Lakshmi Venkataraghavan Subramanian Iyer-Krishnamurthy')
  const { page, context } = await arrive(browser, account, { viewport: { width: 390, height: 844 } })
  const width = await page.evaluate(() => document.documentElement.scrollWidth)
  expect(width).toBe(390)
  await context.close()
})

async function chooseService(page: Page) {
  await page.getByLabel('Service Required').click()
  await page.getByTitle('ITR Filing').click()
}
