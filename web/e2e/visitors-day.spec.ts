import type { Browser, Page } from '@playwright/test'
import { readFile } from 'node:fs/promises'
import { approved, completed } from './answers'
import { accountOf, arrive, type Person } from './people'
import { isNight } from './extent'
import { find } from './queue'
import { expect, test } from './test'

// Other tests run with reduced motion. Here the pages are animated, as users see them.
test.use({ contextOptions: { reducedMotion: 'no-preference' } })

/** Every open dashboard shows a change within a second. The nightly run asserts the time, a merge only the change. */
const withinASecond = isNight ? { timeout: 1_000 } : {}

const visitor = { name: `Asha ${Date.now() % 100_000}`, phone: '9876543210', notes: 'Two Form 16s this year' }

type Staff = Record<'reception' | 'secondDesk' | 'pa' | 'consultant' | 'admin', Person>

async function everybody(browser: Browser): Promise<Staff> {
  return {
    reception: await arrive(browser, accountOf('reception')),
    secondDesk: await arrive(browser, accountOf('reception', 1)),
    pa: await arrive(browser, accountOf('pa')),
    consultant: await arrive(browser, accountOf('consultant')),
    admin: await arrive(browser, accountOf('admin')),
  }
}

/**
 * Empties a consultant's screen: completes the running session, then starts and completes a session for every waiting
 * visit.
 */
async function clearDesk(page: Page) {
  const complete = page.getByRole('button', { name: 'Complete Session' })
  const start = page.getByRole('button', { name: 'Start Session' })
  await expect(page.getByText('My Queue')).toBeVisible()
  for (;;) {
    if (await complete.isVisible()) {
      await complete.click()
      await expect(complete).toBeHidden()
    }
    if ((await start.count()) === 0) return
    await start.first().click()
    await expect(complete).toBeVisible()
  }
}

async function createToken(page: Page) {
  await page.getByLabel('Visitor Name').fill(visitor.name)
  await page.getByLabel('Phone Number').fill(visitor.phone)
  await page.getByLabel('Service Required').click()
  await page.getByTitle('ITR Filing').click()
  await page.getByLabel('Special Notes').fill(visitor.notes)
  const answer = page.waitForResponse(
    (response) => response.request().method() === 'POST' && response.url().endsWith('/api/visits'),
  )
  await page.getByRole('button', { name: 'Create Token' }).click()
  const { visit } = (await (await answer).json()) as { visit: { id: string; token: string } }
  return visit
}

/** The row of a visit in a list of visits. The list of what needs attention is left out. */
const rowOf = (page: Page, token: string) =>
  page.locator('main').getByRole('group').getByRole('listitem').filter({ hasText: token })

// S1.live.01, S1.staff.01, S4.transition.01-08, S4.transition.10-11, S7.stream.01-02, S7.event.03-07
test("a visitor's day on five screens at once @alone", async ({ browser }) => {
  const staff = await everybody(browser)
  const { reception, secondDesk, pa, consultant, admin } = staff
  await clearDesk(consultant.page)
  await admin.page.getByRole('tab', { name: 'Visitors' }).click()

  const { id, token } = await test.step('reception creates a token', () => createToken(reception.page))
  const ticket = reception.page.getByRole('article', { name: `Token ${token}` })
  const card = pa.page.getByRole('article', { name: new RegExp(`${token} `) })
  const adminRow = admin.page.getByRole('row').filter({ hasText: token })

  await test.step('the PA, the admin and the second desk show it at once', async () => {
    await expect(card).toBeVisible(withinASecond)
    await expect(pa.page.getByText(`Token ${token} - ${visitor.name} (ITR Filing)`)).toBeVisible()
    await expect(adminRow).toContainText(visitor.name, withinASecond)
    await expect(await find(secondDesk.page, token)).toContainText(visitor.name, withinASecond)
    await expect(ticket).toContainText(visitor.name)
  })

  await test.step('the PA approves it for the consultant', async () => {
    await card.getByRole('combobox').click()
    await pa.page.getByTitle(`${consultant.account.name} (queue 0)`).click()
    await card.getByPlaceholder('PA Notes').fill('Bring the notice')
    // The alert is shown for five seconds, so the test begins to wait for it before the approval.
    const alert = reception.page.getByText(`Token ${token} approved for ${consultant.account.name}`)
    await Promise.all([expect(alert).toBeVisible(), card.getByRole('button', { name: 'Approve' }).click()])
    await expect(pa.page.getByText(approved)).toBeVisible()
    await expect(card).toBeHidden()
    await expect(adminRow).toContainText('approved', withinASecond)
    await expect(adminRow).toContainText(consultant.account.name)
    await expect(rowOf(secondDesk.page, token)).toContainText('approved', withinASecond)
  })

  await test.step('the consultant starts the session, and the timer runs', async () => {
    const entry = rowOf(consultant.page, token)
    await expect(entry).toContainText('Next', withinASecond)
    await entry.getByRole('button', { name: 'Start Session' }).click()
    const timer = consultant.page.getByRole('timer')
    await expect(timer).toHaveText(/^00:0\d$/)
    const shown = (await timer.textContent()) ?? ''
    await expect(timer).not.toHaveText(shown)
    await expect(rowOf(secondDesk.page, token)).toContainText('in-session', withinASecond)
    await expect(adminRow).toContainText('in-session', withinASecond)
    await consultant.page.reload()
    await expect(consultant.page.getByRole('article', { name: `Token ${token}` })).toContainText(visitor.name)
  })

  await test.step('the consultant completes the session', async () => {
    await consultant.page.getByLabel('Session Notes').fill('Form 26AS matches')
    await consultant.page.getByRole('button', { name: 'Complete Session' }).click()
    await expect(consultant.page.getByText(completed)).toBeVisible()
    const done = consultant.page.getByRole('group', { name: "Today's Completed Sessions" })
    await expect(done.getByRole('listitem').first()).toContainText(/Form 26AS matches/)
    await expect(rowOf(secondDesk.page, token)).toContainText('completed', withinASecond)
    await expect(adminRow).toContainText('completed', withinASecond)
  })

  await test.step('the audit trail names the user of each step', async () => {
    const { page } = admin
    await page.getByRole('tab', { name: 'Audit Trail' }).click()
    await page.getByLabel('Entity ID').fill(id)
    await page.getByRole('button', { name: 'Load Audit Trail' }).click()
    const table = page.getByRole('group', { name: 'Audit records' })
    for (const [action, person] of [
      ['created', reception],
      ['approved', pa],
      ['started', consultant],
      ['completed', consultant],
    ] as const) {
      await expect(
        table.getByRole('row').filter({ has: page.getByRole('cell', { name: action, exact: true }) }),
      ).toContainText(person.account.name)
    }
    await expect(table.getByRole('row')).toHaveCount(5)
  })

  await test.step('the export has the row', async () => {
    const { page } = admin
    await page.getByRole('tab', { name: 'Analytics' }).click()
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Export Visitor Data' }).click()
    const file = await download
    expect(file.suggestedFilename()).toMatch(/^visitors_\d{4}-\d{2}-\d{2}_\d{4}-\d{2}-\d{2}\.csv$/)
    const rows = (await readFile(await file.path(), 'utf8')).split('\r\n')
    const row = rows.find((line) => line.includes(`"${token}"`) && line.includes(visitor.name))
    expect(row).toContain('"completed"')
    expect(row).toContain(`"${consultant.account.name}"`)
    expect(row).toContain('"Form 26AS matches"')
  })

  for (const { context } of Object.values(staff)) await context.close()
})
