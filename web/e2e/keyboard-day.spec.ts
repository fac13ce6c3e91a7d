import type { Browser, Page } from '@playwright/test'
import type { English } from '@/locales/english'
import { languages, type Language } from '@/locales/languages'
import { deskFor, deskOfRole, emptyLine } from './desk'
import { isNight } from './extent'
import { accountOf, arrive, hire, type Account } from './people'
import { messagesOf } from './pseudo-locale'
import { expect, test } from './test'

// Other tests run with reduced motion. Here the pages are animated, as users see them.
test.use({ contextOptions: { reducedMotion: 'no-preference' } })

/**
 * The number of visitors of the day; BAARI_WALK_INS=60 makes it a long day. The nightly run adds short days in other
 * languages.
 */
const walkIns = Number(process.env.BAARI_WALK_INS ?? (isNight ? 12 : 6))
const days: [Language, number][] = [['en', walkIns]]
if (isNight) days.push(['hi', 4], ['kn', 4])
const isDenied = (index: number) => index % 10 === 4

/**
 * The maximum mean number of keys per visitor: for visitors assigned by name, for denied visitors and for visitors
 * called from the line. Opening the screens takes a few keys more. They are part of the mean of a long day, and added
 * to the limit of a short day.
 */
const mostKeys = { byName: 39.8, denied: 28.8, throughLine: 34.5 }
const isLong = (count: number) => count >= 60

type Visitor = { name: string; phone: string; returning: boolean }

/** A user who has only a keyboard. Each pressed key is counted; a combination such as Ctrl+F2 counts as one. */
class Keys {
  readonly role: string
  readonly page: Page
  readonly text: English
  pressed = 0
  stops = 0

  constructor(role: string, page: Page, text: English) {
    this.role = role
    this.page = page
    this.text = text
  }

  async press(...keys: string[]) {
    for (const key of keys) {
      this.pressed += 1
      if (key === 'Tab') this.stops += 1
      await this.page.keyboard.press(key)
    }
  }

  type = (text: string) => this.press(...Array.from(text))

  async tabTo(what: string, limit = 40) {
    const there = () =>
      this.page.evaluate((selector) => Boolean(document.activeElement?.matches(selector)), what)
    for (let stops = 0; !(await there()); stops++) {
      expect(stops, `Tab leads to ${what}`).toBeLessThan(limit)
      await this.press('Tab')
    }
  }
}

async function open(browser: Browser, account: Account, language: Language): Promise<Keys> {
  const { page } = await arrive(browser, account, { language })
  return new Keys(account.role, page, messagesOf(language))
}

const textOf = (page: Page) =>
  page.evaluate(() => document.activeElement?.closest('article')?.getAttribute('aria-label'))

/** Reception types the name of a new visitor, the phone number and ITR. For a known number, Enter fills in the name. */
async function register(keys: Keys, { name, phone, returning }: Visitor) {
  const { page } = keys
  const { visits } = keys.text
  await expect(page.getByLabel(visits.form.name)).toBeFocused()
  if (!returning) await keys.type(name)
  await keys.press('Tab')
  await keys.type(phone)
  // The keys are faster than a person's: the list for the previous visitor's number may still be shown.
  if (!returning) await expect(page.locator('.same-number')).toHaveCount(0)
  await keys.press(returning ? 'Enter' : 'Tab')
  await expect(page.getByLabel(visits.form.service)).toBeFocused()
  await keys.type('ITR')
  await keys.press('Enter', 'Enter')
  await expect(page.getByRole('article', { name: new RegExp(`^${visits.token} `) })).toContainText(name)
}

/**
 * The PA decides about each card in turn: the name of a consultant and Ctrl+Enter, or Shift+F9 and the digit of a
 * reason.
 */
async function decide(keys: Keys, visitors: readonly Visitor[], consultants: readonly Account[]) {
  const { page } = keys
  const cards = page.getByRole('article')
  await expect(cards).toHaveCount(visitors.length) // The page is connected before it has its list.
  await keys.press('F2')
  for (let left = visitors.length; left > 0; left--) {
    await expect.poll(() => textOf(page)).toBeTruthy()
    const card = (await textOf(page)) ?? ''
    // The last match is right, because one name may be the beginning of another.
    const index = visitors.findLastIndex(({ name }) => card.includes(name))
    if (index < 0 || isDenied(index)) {
      await keys.press('Shift+F9')
      await expect(
        page.getByRole('radio', { name: keys.text.visits.pending.denyReasons.papers }),
      ).toBeFocused()
      await keys.press('1', 'Enter')
    } else {
      await keys.type(consultants[index % consultants.length]?.name ?? '')
      await keys.press('Enter', 'Control+Enter')
    }
    await expect(cards).toHaveCount(left - 1)
  }
}

/**
 * The consultant starts the first session with Ctrl+F2, without a call, types a word of notes and completes the session
 * with Ctrl+Enter. The focus moves to the next visitor, whose session starts with Enter.
 */
async function serve(keys: Keys, count: number) {
  const { page } = keys
  const { visits } = keys.text
  const starts = page.getByRole('button', { name: visits.mine.start })
  await expect(starts).toHaveCount(count)
  for (let done = 0; done < count; done++) {
    if (done === 0) await keys.press('Control+F2')
    else {
      await expect(starts.first()).toBeFocused()
      await keys.press('Enter')
    }
    await expect(page.getByLabel(visits.session.notes)).toBeFocused()
    await keys.type('Filed')
    await keys.press('Control+Enter')
    await expect(page.getByLabel(visits.session.notes)).toHaveCount(0)
    await expect(starts).toHaveCount(count - done - 1)
  }
}

/** The PA sends each card in turn to the line, with Ctrl+Shift+Enter. */
async function sendToLine(keys: Keys, count: number) {
  const cards = keys.page.getByRole('article')
  await expect(cards).toHaveCount(count)
  await keys.press('F2')
  for (let left = count; left > 0; left--) {
    await expect.poll(() => textOf(keys.page)).toBeTruthy()
    await keys.press('Control+Shift+Enter')
    await expect(cards).toHaveCount(left - 1)
  }
}

/**
 * The consultant moves to the field for the desk's number with F2 and opens the desk with Enter. Then F2 calls, Enter
 * starts the session, a word of notes is typed, and Ctrl+Enter completes the session.
 */
async function callAndServe(keys: Keys, count: number) {
  const { page } = keys
  const counter = page.locator('#open-desk-counter')
  await expect(counter).toBeVisible()
  await keys.press('F2')
  await expect(counter).toBeFocused()
  await keys.type('9')
  await keys.press('Enter')
  for (let done = 0; done < count; done++) {
    await expect(page.locator('.next-call')).toBeEnabled()
    await keys.press('F2')
    await expect(page.locator('.call-actions .ant-btn-primary')).toBeFocused()
    await keys.press('Enter')
    await expect(page.getByLabel(keys.text.visits.session.notes)).toBeFocused()
    await keys.type('Filed')
    await keys.press('Control+Enter')
    await expect(page.getByLabel(keys.text.visits.session.notes)).toHaveCount(0)
  }
}

/** The admin opens today's visitors, using the keys of the tabs. */
async function look(keys: Keys, last: Visitor | undefined) {
  await keys.tabTo('[role="tab"]')
  await keys.press('ArrowRight', 'Enter')
  const tab = keys.page.getByRole('tab', { name: keys.text.admin.tabs.visitors })
  await expect(tab).toHaveAttribute('aria-selected', 'true')
  await expect(
    keys.page
      .getByRole('row')
      .filter({ hasText: last?.name ?? '' })
      .first(),
  ).toBeVisible()
}

/** Returns visitors with names and phone numbers of this run only. Every second one has been here before. */
async function visitorsOf(run: number, count: number): Promise<Visitor[]> {
  const visitors: Visitor[] = Array.from({ length: count }, (_, index) => ({
    name: `Visitor ${run} ${index + 1}`,
    phone: String(9_000_000_000 + run * 100 + index),
    returning: index % 2 === 1,
  }))
  const earlier = await deskOfRole('reception')
  for (const { name, phone, returning } of visitors) if (returning) await earlier.register({ name, phone })
  const pending = await deskOfRole('pa')
  for (const visit of (await pending.pending()).visits) await pending.deny(visit)
  return visitors
}

/** Prints the keys that each person has pressed, and the keys of all persons per visitor. Returns the sum. */
function keysOf(what: string, people: readonly Keys[], count: number): number {
  for (const { role, pressed, stops } of people) console.log(`${role}: ${pressed} keys, ${stops} of them Tab`)
  const keys = people.reduce((sum, one) => sum + one.pressed, 0)
  console.log(`${count} visits ${what}: ${keys} keys, ${(keys / count).toFixed(1)} a visit`)
  return keys
}

async function live(browser: Browser, language: Language, count: number) {
  const run = Date.now() % 1_000_000
  const code = run.toString(36)
  await emptyLine()
  const visitors = await visitorsOf(run, count)
  const consultants = [await hire('consultant', `Z${code}`), await hire('consultant', `Y${code}`)]
  const reception = await open(browser, accountOf('reception'), language)
  for (const visitor of visitors) await register(reception, visitor)

  const pa = await open(browser, accountOf('pa'), language)
  await decide(pa, visitors, consultants)
  const served = visitors.map((_, index) => index).filter((index) => !isDenied(index))
  const desks = await Promise.all(consultants.map((account) => open(browser, account, language)))
  await Promise.all(
    desks.map((keys, desk) => serve(keys, served.filter((index) => index % 2 === desk).length)),
  )
  const admin = await open(browser, accountOf('admin'), language)
  await look(admin, visitors.at(-1))

  const { visits } = await (await deskOfRole('reception')).today()
  const ofToday = (name: string) => visits.filter((visit) => visit.name === name).at(-1)?.status
  for (const [index, { name }] of visitors.entries()) {
    expect(ofToday(name), name).toBe(isDenied(index) ? 'denied' : 'completed')
  }
  const keys = keysOf('by keyboard', [reception, pa, ...desks, admin], count)
  const denied = count - served.length
  const most = mostKeys.byName * served.length + mostKeys.denied * denied
  // The additional keys of a short day: F2 of the PA, and the keys of the admin, who looks only once.
  expect(keys).toBeLessThanOrEqual(most + (isLong(count) ? 0 : 1 + admin.pressed))
}

// S1.staff.01: a day of visitors passes through every role without a mouse.
for (const [language, count] of days) {
  test(`a day of visitors goes through every role by keyboard alone, in ${languages[language].name}`, async ({
    browser,
  }) => {
    await live(browser, language, count)
  })
}

test('a day through the line goes by keyboard alone, with at most 34.5 keys a visitor', async ({
  browser,
}) => {
  await emptyLine()
  const run = Date.now() % 1_000_000
  const visitors = await visitorsOf(run, walkIns)
  const reception = await open(browser, accountOf('reception'), 'en')
  for (const visitor of visitors) await register(reception, visitor)
  const pa = await open(browser, accountOf('pa'), 'en')
  await sendToLine(pa, visitors.length)
  const account = await hire('consultant', `X${run.toString(36)}`)
  await expect.poll((await deskOfRole('admin')).consultants).toContain((await deskFor(account)).userId)
  const consultant = await open(browser, account, 'en')
  await callAndServe(consultant, visitors.length)
  const { visits } = await (await deskOfRole('reception')).today()
  for (const { name } of visitors)
    expect(visits.filter((visit) => visit.name === name).at(-1)?.status, name).toBe('completed')
  const keys = keysOf('through the line', [reception, pa, consultant], walkIns)
  // The additional keys of a short day: F2 of the PA, and F2, the number and Enter of the consultant.
  expect(keys).toBeLessThanOrEqual(mostKeys.throughLine * walkIns + (isLong(walkIns) ? 0 : 4))
})
