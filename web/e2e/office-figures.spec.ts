import type { Page } from '@playwright/test'
import { violationsOf } from './accessibility'
import { readFile } from 'node:fs/promises'
import { deskFor, deskOfRole } from './desk'
import { importVisits, type PastVisit } from './import'
import { accountOf, arrive, hire } from './people'
import { expect, test } from './test'

const minute = 60_000
const zone = { timeZone: 'Asia/Kolkata' }
const officeDay = (time: number) => new Intl.DateTimeFormat('en-CA', zone).format(time)
const officeHour = (time: string) =>
  Number(
    new Intl.DateTimeFormat('en-GB', { ...zone, hour: '2-digit', hourCycle: 'h23' }).format(Date.parse(time)),
  )

/**
 * Visits of one consultant with these minutes of waiting and of session. The first visit ended `daysAgo` days
 * ago, and each other visit a second before the previous visit.
 */
async function visitsOf(
  consultant: string,
  times: [waited: number, sat: number][],
  daysAgo = 0,
): Promise<PastVisit[]> {
  const [reception, pa] = [await deskOfRole('reception'), await deskOfRole('pa')]
  const service = reception.service()
  return times.map(([waited, sat], index) => {
    const completed = Date.now() - daysAgo * 1_440 * minute - index * 1_000
    const at = (minutes: number) => new Date(completed - minutes * minute).toISOString()
    return {
      name: `Visitor ${index + 1}`,
      phone: '9876500000',
      service_id: service,
      created_at: at(waited + sat),
      decided_at: at(waited + sat),
      started_at: at(sat),
      completed_at: at(0),
      consultant_id: consultant,
      session_notes: 'Two lines\r\nof "notes"',
      reception_user_id: reception.userId,
      pa_user_id: pa.userId,
    }
  })
}

const isAccessible = async (page: Page) => expect(await violationsOf(page)).toEqual([])

/** Minutes of waits and sessions that fit into today so far: just after midnight, no visit can have waited long. */
function waitsOfToday(): [number, number][] {
  const now = Date.now()
  const clock = new Date(new Date(now).toLocaleString('en-US', zone))
  const passed = clock.getHours() * 60 + clock.getMinutes()
  return Array.from({ length: 12 }, (_, index) => [Math.min(5 + 3 * index, Math.floor(passed / 2)), 2])
}

// S2.analytics.02, S2.analytics.06
test("measured wait and peak hours equal the sums of today's visits", async ({ browser }) => {
  const { page, context } = await arrive(browser, accountOf('admin'))
  const consultant = await deskFor(await hire('consultant'))
  const admin = await deskOfRole('admin')
  await expect.poll(admin.consultants).toContain(consultant.userId)
  await importVisits(await visitsOf(consultant.userId, waitsOfToday()))

  const { visits } = await admin.today()
  const waits = visits.flatMap(({ createdAt, startedAt }) =>
    startedAt ? Date.parse(startedAt) - Date.parse(createdAt) : [],
  )
  const average = Math.round((10 * waits.reduce((sum, wait) => sum + wait, 0)) / waits.length / minute) / 10
  const arrivals = Array.from(
    { length: 24 },
    (_, hour) => visits.filter((visit) => officeHour(visit.createdAt) === hour).length,
  )
  const pairs = arrivals.slice(0, 23).map((count, hour) => count + (arrivals[hour + 1] ?? 0))
  const most = Math.max(...pairs)
  // If several pairs of hours have the most visits, the one whose first hour has more visits is the peak.
  const peak = pairs.reduce(
    (best, pair, hour) =>
      pair === most && (best < 0 || (arrivals[hour] ?? 0) > (arrivals[best] ?? 0)) ? hour : best,
    -1,
  )
  const clock = (hour: number) => `${hour % 12 === 0 ? 12 : hour % 12} ${hour % 24 < 12 ? 'AM' : 'PM'}`

  const wait = page.getByRole('region', { name: 'Average wait time' })
  await expect(wait).toContainText('22')
  await expect(wait).toContainText(`Measured today ${Math.round(average)} min`)
  const hours = page.getByRole('region', { name: 'Peak hours' })
  await expect(hours).toContainText('2:00 PM - 4:00 PM')
  await expect(hours).toContainText(`Measured today ${clock(peak)} to ${clock(peak + 2)}`)
  const chart = () => hours.getByRole('img').getAttribute('aria-label')
  for (const [hour, count] of arrivals.entries())
    if (count > 0) await expect.poll(chart).toContain(`${clock(hour)}: ${count}`)
  await context.close()
})

test('the page of each consultant and service shows the exact counts and times of its period', async ({
  browser,
}) => {
  const name = `Figures ${Date.now()}`
  const account = await hire('consultant', name)
  const consultant = await deskFor(account)
  const admin = await deskOfRole('admin')
  await expect.poll(admin.consultants).toContain(consultant.userId)
  await importVisits(await visitsOf(consultant.userId, [[10, 20], [25, 41]], 3)) // prettier-ignore
  await importVisits(await visitsOf(consultant.userId, [[4, 30]], 5))
  await importVisits(await visitsOf(consultant.userId, [[90, 90]], 20))

  const { page, context } = await arrive(browser, accountOf('admin'), { at: '/dashboard/admin?tab=staff' })
  await page.getByRole('link', { name }).click()
  await expect(page.getByRole('heading', { name })).toBeVisible()
  const figure = (label: string) => page.locator('.stat').filter({ hasText: label })
  await expect(figure('Visits')).toContainText('3')
  await expect(figure('Average wait')).toContainText('13minlongest 25 min') // (10 + 25 + 4) / 3
  await expect(figure('Average session')).toContainText('30minlongest 41 min') // (20 + 41 + 30) / 3
  const [far, near] = [5, 3].map((days) => officeDay(Date.now() - days * 1_440 * minute))
  await page.getByRole('button', { name: '30 days' }).click()
  await expect(figure('Visits')).toContainText('4')
  await page.goto(`${new URL(page.url()).pathname}?from=${far}&to=${near}`)
  await expect(figure('Visits')).toContainText('3')
  await isAccessible(page)
  await page.setViewportSize({ width: 390, height: 844 })
  await isAccessible(page)
  await page.getByRole('group', { name: 'By service' }).getByRole('link').first().click()
  await expect(page.getByText(/^Estimated \d+ min$/)).toBeVisible()
  await context.close()
})

test("today's table, a visit's history, the trail's address and the export's progress", async ({
  browser,
}) => {
  const reception = await deskOfRole('reception')
  const name = `Lakshmi ${Date.now() % 100_000}`
  const visit = await reception.register({ name, notes: 'Two Form 16s' })
  await (await deskOfRole('pa')).deny(visit)
  const { page, context } = await arrive(browser, accountOf('admin'), {
    at: '/dashboard/admin?tab=visitors',
  })

  await test.step('search, filter and history', async () => {
    await page.getByLabel('Search').fill(name)
    await expect(page.getByRole('row')).toHaveCount(2)
    await page.getByRole('row', { name: new RegExp(visit.token) }).click()
    const history = page.getByRole('dialog', { name: new RegExp(name) })
    await expect(history.getByRole('listitem')).toHaveCount(2)
    await expect(history.getByRole('listitem').nth(0)).toContainText(
      /Registered.*\(reception\).*Two Form 16s/,
    )
    await expect(history.getByRole('listitem').nth(1)).toContainText(/Denied.*\(pa\)/)
    await isAccessible(page)
    await page.goBack()
    await expect(history).toBeHidden()
    expect(page.url()).not.toContain(encodeURIComponent(name.split(' ')[0] ?? name))
  })

  await test.step('the trail is the same after a reload and after Back', async () => {
    await page.goto(`/dashboard/admin?tab=audit&entity=visit&id=${visit.id}&page=1`)
    const records = page.getByRole('group', { name: 'Audit records' })
    await expect(records.getByRole('row')).toHaveCount(3)
    await expect(records.getByRole('row').nth(1)).toContainText(/Status.*before new.*after denied/)
    await isAccessible(page)
    await page.getByLabel('Entity ID').fill('nothing-has-this-id')
    await page.getByRole('button', { name: 'Load Audit Trail' }).click()
    await expect(records).toContainText('No audit records found.')
    await page.goBack()
    await expect(records.getByRole('row')).toHaveCount(3)
    await page.reload()
    await expect(records.getByRole('row')).toHaveCount(3)
  })

  await test.step('the export shows how many visits it has', async () => {
    await page.goto('/dashboard/admin')
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Export Visitor Data' }).click()
    const file = await readFile(await (await download).path(), 'utf8')
    const rows = file.match(/^"\d{4}-\d{2}-\d{2}","T-/gm)?.length ?? 0
    await expect(page.getByText(/The last file has/)).toHaveText(
      `The last file has ${rows.toLocaleString('en-IN')} ${rows === 1 ? 'visit' : 'visits'}.`,
    )
  })
  await context.close()
})
