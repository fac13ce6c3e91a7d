import type { Browser, Page } from '@playwright/test'
import { violationsOf } from './accessibility'
import { completed } from './answers'
import { callButton } from './consultant'
import { busyConsultant, deskFor, deskOfRole, emptyLine, welcome } from './desk'
import { provoke } from './faults'
import { looks, type Look } from './extent'
import { accountOf, arrive, hire, type Account } from './people'
import { expect, test } from './test'

const kept = 'No connection. What you typed is kept. Try again when the connection is back.'
const notSent = 'The server cannot be reached. Check your connection and try again.'
const withoutConnection = [/^failed \w+ /, /^console Error: Failed to fetch/]

/** Opens the dashboard of an account in a browser with this width and theme. */
async function open(browser: Browser, account: Account, { width, theme }: Look) {
  const person = await arrive(browser, account, { theme, viewport: { width, height: 844 } })
  provoke(person.page, ...withoutConnection)
  return person
}

async function cut(page: Page) {
  await page.context().setOffline(true)
  await expect(page.getByText('Disconnected', { exact: true })).toBeVisible()
}

async function mend(page: Page) {
  await page.context().setOffline(false)
  await page.reload()
  await expect(page.getByText('Connected', { exact: true })).toBeVisible()
}

for (const look of looks) {
  test(`without a connection a PA's card and its dialogs say what is kept, ${look.name}`, async ({
    browser,
  }) => {
    const [visit] = await welcome(1)
    const { page, context } = await open(browser, accountOf('pa'), look)
    const card = page.getByRole('article', { name: new RegExp(`^${visit?.token} `) })
    const said = card.getByRole('status')
    // The first use loads the code of the dialog.
    await card.getByRole('button', { name: 'Deny' }).click()
    const denial = page.getByRole('dialog', { name: `Deny ${visit?.token}` })
    await denial.getByText('Another reason').click()
    await denial.getByRole('textbox').fill('Closed for audit')

    await cut(page)
    await expect(denial.getByText(kept)).toBeVisible()
    await mend(page)
    await card.getByRole('button', { name: 'Deny' }).click()
    await expect(denial.getByRole('textbox')).toHaveValue('Closed for audit')
    await denial.getByRole('button', { name: 'Back' }).click()
    await expect(denial).toBeHidden()

    await card.getByPlaceholder('PA Notes').fill('Ask for the challan')
    await expect(said).toBeEmpty()
    await cut(page)
    await expect(said).toHaveText(kept)
    await card.getByRole('button', { name: 'Send to line' }).click()
    await expect(page.getByText('Failed to approve visitor').first()).toBeVisible()
    await expect(said).toHaveText(kept)
    expect(await violationsOf(page)).toEqual([])
    await mend(page)
    await expect(card.getByPlaceholder('PA Notes')).toHaveValue('Ask for the challan')
    await card.getByRole('button', { name: 'Send to line' }).click()
    await expect(card).toBeHidden()
    await context.close()
  })

  test(`without a connection a consultant's controls say what is kept, ${look.name}`, async ({ browser }) => {
    const account = await hire('consultant')
    const { session } = await busyConsultant(account, 1)
    const { page, context } = await open(browser, account, look)
    const notes = page.getByLabel('Session Notes')
    await notes.fill('Form 26AS matches')
    await expect(page.getByText('Draft saved')).toBeVisible()
    await page.getByRole('button', { name: 'Hold...', exact: true }).click()
    const hold = page.getByRole('dialog', { name: `Hold ${session.token}` })
    await hold.getByLabel('Note').fill('Brings the notice')

    await cut(page)
    await expect(hold.getByText(kept)).toBeVisible()
    await mend(page)
    await page.getByRole('button', { name: 'Hold...', exact: true }).click()
    await expect(hold.getByLabel('Note')).toHaveValue('Brings the notice')
    await hold.getByRole('button', { name: 'Back' }).click()
    await expect(hold).toBeHidden()

    const card = page.getByRole('region', { name: 'Current Session' })
    await cut(page)
    await expect(card.getByText(kept)).toBeVisible()
    await page.getByRole('button', { name: 'Complete Session' }).click()
    await expect(page.getByText('Failed to complete session').first()).toBeVisible()
    await expect(card.getByText(kept)).toBeVisible()
    expect(await violationsOf(page)).toEqual([])
    await mend(page)
    await expect(notes).toHaveValue('Form 26AS matches')
    await page.getByRole('button', { name: 'Complete Session' }).click()
    await expect(page.getByText(completed).first()).toBeVisible()
    await context.close()
  })

  test(`a call and a session that cannot be sent say so at their buttons, ${look.name}`, async ({
    browser,
  }) => {
    await emptyLine()
    const account = await hire('consultant')
    const [pa, own] = [await deskOfRole('pa'), await deskFor(account)]
    const [first, second] = await welcome(2)
    for (const visit of [first, second]) if (visit) await pa.approve(visit, own.userId)
    await own.openDesk('5')
    const { page, context } = await open(browser, account, look)
    const card = page.getByRole('region', { name: 'Current Session' })
    await expect(callButton(page, first?.token)).toBeVisible()
    await cut(page)
    await callButton(page, first?.token).click()
    await expect(card.getByText(notSent)).toBeVisible()
    const entry = page.getByRole('region', { name: 'My Queue' }).getByRole('listitem').nth(1)
    await entry.getByRole('button', { name: 'Start Session' }).click()
    await expect(entry.getByText(notSent)).toBeVisible()
    expect(await violationsOf(page)).toEqual([])
    await mend(page)
    await callButton(page, first?.token).click()
    await card.getByRole('button', { name: /^Start Session/ }).click()
    await expect(page.getByRole('timer')).toBeVisible()
    await context.close()
  })
}
