import type { Page } from '@playwright/test'
import { deskFor } from './desk'
import { onlyAtNight } from './extent'
import {
  backOnline,
  band,
  closeDesk,
  numberOf,
  openDesk,
  sharedDesk,
  tokenFor,
  visitsOf,
  visitsToday,
  type DeskBrowser,
  type Visit,
} from './offline'
import { accountOf, asAdmin, baseURL, hire, openSession } from './people'
import { expect, test } from './test'

onlyAtNight()

/** The nightly part `offline` really waits for half an hour. The part `screens` advances the pages' timers instead. */
const isReal = process.env.BAARI_REAL_CUT === '1'
const cutMs = 30 * 60_000
/** The number of visitors at each desk while the connection is lost. */
const each = isReal ? 40 : 5

test('two desks go on for half an hour without the server, a third one with it', async ({ browser }) => {
  test.setTimeout(isReal ? cutMs + 300_000 : 300_000)
  const desks = [await openDesk(browser, await sharedDesk(0)), await openDesk(browser, await sharedDesk(1))]
  const third = await deskFor(await hire('reception'))
  const name = `Morning ${Date.now() % 1_000_000}`
  const came: string[] = []
  const welcome = async (desk: DeskBrowser) => {
    const visitor = `${name} ${came.length}`
    const token = await tokenFor(desk.page, visitor)
    expect(token).toMatch(new RegExp(`^${desk.series}-`))
    came.push(`${token} ${visitor}`)
  }
  for (const { page, proxy } of desks) {
    if (!isReal) await page.clock.install()
    proxy.cut()
  }
  const begun = Date.now()
  for (let round = 0; round < each; round++) {
    for (const desk of desks) await welcome(desk)
    const online = await third.register({ name: `${name} ${came.length}` })
    came.push(`${online.token} ${online.name}`)
    if (isReal) await desks[0]?.page.waitForTimeout(begun + ((round + 1) * cutMs) / each - Date.now())
    else for (const { page } of desks) await pass(page, cutMs / each)
  }
  for (const { page } of desks) await expect(band(page)).toContainText(`Not sent yet: ${each}`)
  await Promise.all(desks.map(backOnline))

  // No visitor is missing or doubled, and the order is that of arrival.
  const visits = await visitsOf(name)
  const arrived = visits.toSorted((one, other) => arrivalOf(one) - arrivalOf(other))
  expect(arrived.map(({ token, name: of }) => `${token} ${of}`)).toEqual(came)
  const pending = await deskFor(accountOf('pa')).then((pa) => pa.pending())
  const waiting = pending.visits.filter((visit) => visit.name.startsWith(name))
  expect(waiting.map(({ token }) => token)).toEqual(came.map(tokenOf))
  // None of the three series has a gap, or a number twice.
  const all = (await visitsToday()).flatMap(({ token, tokenAlso }) => [token, tokenAlso ?? []].flat())
  expect(new Set(all).size).toBe(all.length)
  for (const series of ['T', ...desks.map((desk) => desk.series)]) {
    const numbers = all.filter((token) => token.startsWith(series)).map(numberOf)
    expect(numbers.toSorted((one, other) => one - other)).toEqual(numbers.map((_, index) => index + 1))
  }
  await expectOneRecordEach(visits)
  await expectExported(came)
  for (const desk of desks) await closeDesk(desk)
})

/**
 * Advances the timers of a page. The clock of the page is then set to the real time, at which the next visitor comes.
 */
async function pass(page: Page, ms: number) {
  await page.clock.fastForward(ms)
  await page.clock.setSystemTime(Date.now())
}

const tokenOf = (arrival: string) => arrival.slice(0, arrival.indexOf(' '))
const arrivalOf = ({ createdAt, offline }: Visit) => Date.parse(offline?.arrivedAt ?? createdAt)

type Trail = { audit_records: { action: string; newValues: Record<string, unknown> | null }[] }

async function expectOneRecordEach(visits: readonly Visit[]) {
  await expect(async () => {
    for (const { id, token, offline } of visits) {
      const path = `/api/analytics/audit?entity=visit&entity_id=${id}`
      const { audit_records: records } = await asAdmin<Trail>('GET', path)
      expect(
        records.map(({ action, newValues }) => [action, newValues?.token, newValues?.offline ?? false]),
      ).toEqual([['created', token, offline !== undefined]])
    }
  }).toPass()
}

/** Asserts that the exported file of the day has each visitor once, in the order of their arrivals. */
async function expectExported(came: readonly string[]) {
  const { token } = await openSession(accountOf('admin'))
  const answer = await fetch(`${baseURL()}/api/analytics/export`, {
    headers: { Authorization: `Bearer ${token}` },
  })
  const rows = (await answer.text()).split('\r\n').map((row) => row.slice(1, -1).split('","'))
  const named = came.map((arrival) => arrival.slice(arrival.indexOf(' ') + 1))
  const exported = rows.filter(([, , visitor = '']) => named.includes(visitor))
  expect(exported.map(([, of, visitor]) => `${of} ${visitor}`)).toEqual(came)
}
