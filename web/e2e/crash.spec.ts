import type { Browser, Page } from '@playwright/test'
import { api } from './api'
import { provoke } from './faults'
import { isNight } from './extent'
import { accountOf, arrive, type Role } from './people'
import { back, kill } from './processes'
import { find } from './queue'
import { expect, test } from './test'

/**
 * The processes that are killed, each once, in the middle of the day: on a merge only the first four. The chaos run
 * (tools/proof/chaos) aborts PostgreSQL.
 */
const victims = [
  'visits',
  'realtime',
  'redis',
  'gateway',
  ...(isNight ? ['auth', 'directory', 'audit', 'lobby', 'web'] : []),
]

type Day = {
  reception: Page
  second: Page
  pa: Page
  consultant: Page
  admin: Page
}

async function openDay(browser: Browser): Promise<Day> {
  const open = async (role: Role, nth = 0) => {
    const { page } = await arrive(browser, accountOf(role, nth))
    provoke(page, /^(5\d\d|failed) /)
    return page
  }
  const [reception, second, pa, consultant, admin] = await Promise.all([
    open('reception'),
    open('reception', 1),
    open('pa'),
    open('consultant'),
    open('admin'),
  ])
  return { reception, second, pa, consultant, admin }
}

/** Presses the button of a change again until the screen shows the change, as a person would. */
async function insist(press: () => Promise<void>, made: () => Promise<void>) {
  await expect(async () => {
    await press()
    await made()
  }).toPass()
}

async function register(desk: Page, name: string) {
  const field = desk.getByLabel('Visitor Name')
  await expect(field).toHaveValue('') // The form is emptied after the row of the visitor before is shown.
  await field.fill(name)
  await desk.getByLabel('Phone Number').fill('9876543210')
  await desk.getByLabel('Service Required').fill('ITR')
  await desk.locator('.ant-select-dropdown:visible').getByTitle('ITR Filing', { exact: true }).click()
  await insist(
    async () => {
      const button = desk.getByRole('button', { name: 'Create Token' })
      if (await desk.getByLabel('Visitor Name').inputValue()) await button.click({ timeout: 3_000 })
    },
    async () => expect(await find(desk, name)).toBeVisible({ timeout: 6_000 }),
  )
}

/**
 * Takes a new visitor through approval, session and completion, each on the page of the responsible member of staff.
 */
async function serve(day: Day, name: string) {
  const card = day.pa.getByRole('article', { name: new RegExp(`${name}$`) })
  await expect(card).toBeVisible()
  await insist(
    async () => {
      if ((await card.count()) === 0) return
      if (await card.getByRole('button', { name: 'Approve' }).isDisabled()) {
        await card.getByRole('combobox').click({ timeout: 3_000 })
        await day.pa.getByTitle(new RegExp(`^${accountOf('consultant').name}`)).click({ timeout: 3_000 })
      }
      await card.getByRole('button', { name: 'Approve' }).click({ timeout: 3_000 })
    },
    () => expect(card).toHaveCount(0, { timeout: 6_000 }),
  )
  const queued = day.consultant.getByRole('listitem').filter({ hasText: name })
  const timer = day.consultant.getByRole('timer')
  await insist(
    async () => {
      const start = queued.getByRole('button', { name: 'Start Session' })
      if ((await timer.count()) === 0) await start.click({ timeout: 6_000 })
    },
    () => expect(timer).toBeVisible({ timeout: 6_000 }),
  )
  await insist(
    async () => {
      const complete = day.consultant.getByRole('button', { name: 'Complete Session' })
      if ((await timer.count()) > 0) await complete.click({ timeout: 3_000 })
    },
    () => expect(timer).toHaveCount(0, { timeout: 6_000 }),
  )
}

// S1.live.01, S4.live.02, S1.staff.01: after every crash the day continues and every screen ends in the right state.
test('the day continues through a crash of every process', async ({ browser }) => {
  const day = await openDay(browser)
  const run = Date.now().toString(36) // makes the names differ from those of earlier runs
  const names: string[] = []
  for (const victim of victims) {
    const before = `Before ${victim} ${run}`
    await register(day.reception, before)
    const died = kill(victim)
    const during = `During ${victim} ${run}`
    await register(day.reception, during)
    await back(victim, died)
    await serve(day, before)
    await serve(day, during)
    names.push(before, during)
  }
  await everyScreenIsRight(day, names)
})

async function everyScreenIsRight(day: Day, names: string[]) {
  const { visits } = await api(day.admin).today()
  expect(visits.map((visit) => visit.token)).toEqual(
    visits.map((_, index) => `T-${String(index + 1).padStart(3, '0')}`),
  )
  for (const name of names) {
    expect(visits.filter((visit) => visit.name === name).map((visit) => visit.status)).toEqual(['completed'])
    for (const desk of [day.reception, day.second]) {
      await expect(await find(desk, name)).toContainText('completed')
    }
  }
  const { visits: pending } = await api(day.pa).pending()
  await expect(day.pa.getByRole('article')).toHaveCount(pending.length)
  const total = day.admin.getByRole('definition').first()
  await expect(total).toContainText(String(visits.length))
  for (const visit of visits.filter((one) => names.includes(one.name))) {
    const actions = async () =>
      (await api(day.admin).audit(visit.id)).audit_records.map(({ action }) => action)
    await expect.poll(actions).toEqual(['completed', 'started', 'approved', 'created'])
  }
}
