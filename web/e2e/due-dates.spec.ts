import { violationsOf } from './accessibility'
import { adminPlaces } from './admin-places'
import { looks } from './extent'
import { accountOf, arrive } from './people'
import { expect, test } from './test'

/** The office's date this number of days from now, in the format of the calendar's field. */
function shownDay(after: number): string {
  const parts = new Intl.DateTimeFormat('en-IN', {
    timeZone: 'Asia/Kolkata',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
  }).formatToParts(Date.now() + after * 86_400_000)
  const of = (type: string) => parts.find((part) => part.type === type)?.value ?? ''
  return `${of('day')} ${of('month').slice(0, 3)} ${of('year')}`
}

test('an admin confirms and enters due dates; the other dashboards show what is due within three days', async ({
  browser,
}) => {
  // The consultant's screen shows due dates in its head. The other screens show entries that need attention
  // there.
  const desk = await arrive(browser, accountOf('consultant'))
  const soon = desk.page.getByRole('complementary', { name: 'Due soon' })
  const readAgain = async () => {
    const read = desk.page.waitForResponse((response) => response.url().includes('/api/due-dates?days=3'))
    await desk.page.reload()
    await read
  }
  const { page, context } = await arrive(browser, accountOf('admin'), {
    at: adminPlaces.dueDates,
  })
  const calendar = page.getByRole('group', { name: 'Due dates' })
  const near = `Filing of ${Date.now()}`
  const far = `${near}, later`

  await test.step('an entry of the law is confirmed', async () => {
    const entry = calendar.getByRole('row', { name: /GSTR-9, GSTR-9C/ })
    await expect(entry).toContainText('section 44')
    await entry.getByRole('button', { name: /^Confirm / }).click()
    await expect(entry).not.toContainText('Not confirmed')
    await expect(entry).toContainText('Confirmed')
  })
  for (const [title, after] of [
    [far, 4],
    [near, 2],
  ] as const) {
    await test.step(`${title} is entered`, async () => {
      await page.getByRole('button', { name: 'Add due date' }).click()
      const form = page.getByRole('dialog')
      await form.getByLabel('Title').fill(title)
      await form.getByLabel('Date', { exact: true }).fill(shownDay(after))
      await form.getByLabel('Date', { exact: true }).press('Enter')
      await form.getByLabel(/^Source/).fill('Notification 12/2026, egazette.gov.in')
      await form.getByRole('button', { name: 'Save' }).click()
      await expect(form).toBeHidden()
      await expect(
        calendar.getByRole('row', { name: new RegExp(`${title}Once|${title} Once`) }),
      ).toContainText('Confirmed')
    })
  }
  await test.step('a consultant sees it, but not the later one', async () => {
    await readAgain()
    await expect(soon).toContainText(near)
    await expect(soon).not.toContainText(far)
    expect(await violationsOf(desk.page)).toEqual([])
  })
  await test.step('it is switched off', async () => {
    await calendar.getByRole('button', { name: `Switch off ${near}`, exact: true }).click()
    await expect(calendar.getByRole('button', { name: `Switch on ${near}`, exact: true })).toBeVisible()
    await readAgain()
    await expect(desk.page.getByText(near)).toHaveCount(0)
  })
  await test.step('the audit trail words it', async () => {
    const records = page.getByRole('group', { name: 'Audit records' })
    // The trail is not live, so the page is opened again until it has the last change.
    await expect(async () => {
      await page.goto('/dashboard/admin?tab=audit&page=1&entity=due_date')
      await expect(records.locator('.ant-table-row').first()).toBeVisible()
      expect(await records.getByText('changed a due date').count()).toBeGreaterThan(0)
    }).toPass()
    await expect(records.getByText(`added the due date ${near}`, { exact: false }).first()).toBeVisible()
  })
  await context.close()
  await desk.context.close()
})

for (const { width, theme, name } of looks) {
  test(`the calendar and the expected arrivals are accessible, ${name}`, async ({ browser }) => {
    const { page, context } = await arrive(browser, accountOf('admin'), {
      at: adminPlaces.dueDates,
      theme,
      viewport: { width, height: 900 },
    })
    await expect(page.getByRole('region', { name: 'Expected arrivals' })).toBeVisible()
    await expect(page.getByRole('group', { name: 'Due dates' })).toContainText('GSTR-3B, monthly')
    expect(await violationsOf(page)).toEqual([])
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
    await context.close()
  })
}
