import type { Browser, Locator, Page } from '@playwright/test'
import { atEveryLook, violationsOf } from './accessibility'
import { deskFor, deskOfRole, emptyLine } from './desk'
import { answerNeeds, needsInHead, needsOf, unansweredCall } from './needs'
import { accountOf, arrive, hire } from './people'
import { expect, test } from './test'

// The tests share the desks of their installation, so they run one after the other.
test.describe.configure({ mode: 'serial' })

/** A new phone number for each visitor, because only one request for a number can be open. */
const phone = () => `7${String(Math.floor(Math.random() * 1e9)).padStart(9, '0')}`

/** Creates a consultant, and waits until the service `directory` has the consultant. */
async function newConsultant() {
  const account = await hire('consultant')
  const own = await deskFor(account)
  await expect.poll((await deskOfRole('admin')).consultants).toContain(own.userId)
  return { ...account, own }
}

const missingPaper = { label: 'Form 16', required: true, state: 'missing' }

async function visitor(name: string, documents: object[] = []) {
  return (await deskOfRole('reception')).register({ name, phone: phone(), documents })
}

/** Requests a token on the page of the poster at the door, as a visitor. Returns the visitor's name. */
async function askAtTheDoor(browser: Browser) {
  const context = await browser.newContext()
  const page = await context.newPage()
  const name = `Door ${phone()}`
  await page.goto('/q/join?lang=en')
  await page.getByLabel('Your name').fill(name)
  await page.getByLabel('Mobile number').fill(phone())
  await page.getByLabel('Service', { exact: true }).selectOption({ index: 1 })
  await page.getByRole('button', { name: 'Send' }).click()
  await expect(page.getByText('The desk has your request.')).toBeVisible()
  await context.close()
  return name
}

const entry = (sheet: Locator, text: string) => sheet.getByRole('listitem').filter({ hasText: text })

const titleOf = (page: Page) => page.evaluate(() => document.title)

type Listed = { kind: string; visit?: { id: string } }

/** Asserts that the title of the browser's tab begins with the number of entries in the sheet. */
const expectCounted = (page: Page, sheet: Locator) =>
  expect(async () => {
    expect(await titleOf(page)).toMatch(new RegExp(`^\\(${await sheet.getByRole('listitem').count()}\\) `))
  }).toPass()

test(
  'the PA gives a desk its number, completes papers and puts a visitor of a closed desk into the line',
  { tag: '@main' },
  async ({ browser }) => {
    await emptyLine()
    const pa = await deskOfRole('pa')
    const [open, away] = [await newConsultant(), await newConsultant()]
    await open.own.openDesk()
    const { page, context } = await arrive(browser, accountOf('pa'), { theme: 'system' })
    const sheet = await needsOf(page)

    await test.step('a desk that is open without a number', async () => {
      const numberless = entry(sheet, `${open.name}'s desk has no number`)
      await numberless.getByRole('button', { name: 'Set number' }).click()
      const dialog = page.getByRole('dialog', { name: `Desk of ${open.name}` })
      await dialog.getByLabel('Desk number').fill('41')
      await page.keyboard.press('Enter')
      await expect(dialog).toBeHidden()
      await expect(sheet).toBeVisible()
      await expect(numberless).toHaveCount(0)
    })

    await test.step('a visitor who waits for a closed desk', async () => {
      const visit = await visitor('Waits for a closed desk')
      await pa.approve(visit, away.own.userId)
      const waits = entry(sheet, `${visit.token} waits for ${away.name}, desk closed`)
      await waits.getByRole('button', { name: 'To the line' }).click()
      await expect(waits).toHaveCount(0)
      expect((await pa.line()).line.map(({ token }) => token)).toContain(visit.token)
      await pa.act(visit, 'leave')
    })

    await test.step('a required paper of a called visitor', async () => {
      const visit = await visitor('Has no Form 16', [missingPaper])
      await pa.sendToLine(visit)
      await pa.act(visit, 'call', { consultant_id: open.own.userId })
      const papers = entry(sheet, `${visit.token}, Desk 41: Form 16 is missing`)
      await expect(papers).toContainText('Has no Form 16')
      await expectCounted(page, sheet)
      await atEveryLook(page, async (look, rules) => {
        expect.soft(await violationsOf(page, rules), look).toEqual([])
      })
      await papers.getByRole('button', { name: 'Papers...' }).click()
      const dialog = page.getByRole('dialog', { name: `Papers of ${visit.token}` })
      await dialog.getByRole('group', { name: 'Form 16' }).getByLabel('Where it is').click()
      await page.locator('.ant-select-dropdown:visible').getByTitle('Brought', { exact: true }).click()
      await dialog.getByRole('button', { name: 'Save papers' }).click()
      await expect(dialog).toBeHidden()
      await expect(papers).toHaveCount(0)
      await pa.act(visit, 'leave')
    })
    await context.close()
  },
)

/** The positions and sizes of parts of reception's screen, which the needs in the head must not move. */
const placesOf = (page: Page) =>
  page.locator('h1, .connection, .visit-form, .queue-search').evaluateAll((parts) =>
    parts.map((part) => {
      const { x, y, width, height } = part.getBoundingClientRect()
      return [x, y, width, height].map(Math.round).join()
    }),
  )

test('reception accepts a visitor at the door without scrolling, and refuses another in the sheet', async ({
  browser,
}) => {
  const viewport = { width: 1280, height: 720 }
  const { page, context } = await arrive(browser, accountOf('reception'), { viewport })
  await expect(page.getByText('Connected', { exact: true })).toBeVisible()
  await expect(page.locator('.skeleton')).toHaveCount(0)
  await page.evaluate(async () => {
    await document.fonts.ready
  })
  const places = await placesOf(page)
  expect(places).toHaveLength(4)
  const first = await askAtTheDoor(browser)
  const sent = Date.now()
  const head = needsInHead(page)
  await expect(head.getByText(`At the door: ${first}`)).toBeInViewport({ ratio: 1 })
  const description = `${Date.now() - sent} ms from the answer to the visitor to the entry in the head`
  test.info().annotations.push({ type: 'latency', description })
  expect(await placesOf(page)).toEqual(places)
  await page.keyboard.press('Shift+F2')
  await expect(head.getByRole('button', { name: `Accept ${first}` })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.locator('.issued-ticket').getByText(first)).toBeVisible()
  await expect(head.getByText(`At the door: ${first}`)).toHaveCount(0)

  const second = await askAtTheDoor(browser)
  const sheet = await needsOf(page)
  const door = entry(sheet, `At the door: ${second}`)
  await expectCounted(page, sheet)
  await door.getByRole('button', { name: `Refuse ${second}` }).click()
  await expect(door).toHaveCount(0)
  await page.keyboard.press('Escape')
  await expect(sheet).toBeHidden()
  await context.close()
})

test('an unanswered call stands in the heads of reception, PA and admin with a running time', async ({
  browser,
}) => {
  const visit = await visitor('Has not come')
  for (const role of ['reception', 'pa', 'admin'] as const) {
    const { page, context } = await arrive(browser, accountOf(role))
    await answerNeeds(page, [unansweredCall(visit)])
    const chip = needsInHead(page).getByText(new RegExp(`^${visit.token} has not come, \\d+:\\d\\d$`))
    for (const { width, height } of [
      { width: 1440, height: 900 },
      { width: 1280, height: 720 },
    ]) {
      await page.setViewportSize({ width, height })
      await expect(chip, `${role} at ${width} px`).toBeInViewport({ ratio: 1 })
    }
    const before = (await chip.textContent()) ?? ''
    await expect(chip).not.toHaveText(before)
    await context.close()
  }
  await (await deskOfRole('pa')).deny(visit)
})

test('an unanswered call is repeated, and then marked as not here', async ({ browser }) => {
  await emptyLine()
  const pa = await deskOfRole('pa')
  const { own } = await newConsultant()
  await own.openDesk('42')
  const visit = await visitor('Does not come')
  await pa.sendToLine(visit)
  await pa.act(visit, 'call', { consultant_id: own.userId })
  // The server lists an unanswered call only two minutes after the call. Instead, this page gets the entry at
  // once, as long as the visitor is called.
  const call = unansweredCall(visit)
  const { page, context } = await arrive(browser, accountOf('reception'))
  await page.route('**/api/visits/attention', async (route) => {
    const answer = await route.fetch()
    const { attention, nextAt } = (await answer.json()) as { attention: Listed[]; nextAt: string | null }
    const others = attention.filter((one) => one.kind !== call.kind || one.visit?.id !== visit.id)
    const { visits } = await pa.today()
    const calls = visits
      .filter(({ id, queue: { stage } }) => id === visit.id && stage === 'called')
      .map(({ version }) => ({ ...call, visit: { ...call.visit, version } }))
    await route.fulfill({ response: answer, json: { attention: [...calls, ...others], nextAt } })
  })
  await page.reload()
  const sheet = await needsOf(page)
  const unanswered = entry(sheet, `${visit.token} has not come`)
  await expect(unanswered).toContainText(/has not come, \d+:\d\d/)
  // The button is enabled ten seconds after the call.
  await unanswered.getByRole('button', { name: `Call again: ${visit.token}`, exact: true }).click()
  await expect(page.getByText(`${visit.token} called again.`).first()).toBeVisible()
  await unanswered.getByRole('button', { name: `Not here: ${visit.token}`, exact: true }).click()
  await expect(unanswered).toHaveCount(0)
  await page.keyboard.press('Escape')
  await pa.act(visit, 'leave')
  await page.unrouteAll({ behavior: 'ignoreErrors' }) // A handler may still wait for the server.
  await context.close()
})

test('on a phone, and while the head is out of sight, the number is in the top bar and opens the sheet', async ({
  browser,
}) => {
  const { name, own } = await newConsultant()
  await own.openDesk()
  const viewport = { width: 390, height: 844 }
  const { page, context } = await arrive(browser, accountOf('pa'), { viewport })
  const button = page.getByRole('banner').getByRole('button', { name: /^\d+ needs? attention$/ })
  await expect(button).toBeInViewport({ ratio: 1 })
  await expect(needsInHead(page)).toHaveCount(0)
  await page.keyboard.press('Shift+F2')
  await expect(button).toBeFocused()
  await page.keyboard.press('Enter')
  const sheet = page.getByRole('dialog', { name: 'Needs attention' })
  const set = entry(sheet, `${name}'s desk has no number`).getByRole('button', { name: 'Set number' })
  await expect(set).toBeVisible()
  // The button grows while the sheet opens.
  await expect.poll(async () => (await set.boundingBox())?.height).toBeGreaterThanOrEqual(44)
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
  await page.keyboard.press('Escape')
  await expect(sheet).toBeHidden()
  await expect(button).toBeFocused()

  // In a narrow window, the head hides the buttons of its entries.
  await page.setViewportSize({ width: 950, height: 720 })
  await expect(needsInHead(page)).toBeVisible()
  await page.keyboard.press('Shift+F2')
  await expect(needsInHead(page).locator('li').first().locator(':focus')).toHaveCount(1)
  await page.setViewportSize({ width: 1280, height: 400 })
  await expect(needsInHead(page)).toBeVisible()
  await expect(button).toHaveCount(0)
  await page.evaluate(() => window.scrollTo(0, 200))
  await expect(button).toBeVisible()
  await page.evaluate(() => window.scrollTo(0, 0))
  await expect(button).toHaveCount(0)
  await own.openDesk('43')
  await context.close()
})
