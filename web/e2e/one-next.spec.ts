import type { Browser, Page } from '@playwright/test'
import { violationsOf, atEveryLook } from './accessibility'
import { callButton, openCall, queueRows, sessionCard } from './consultant'
import { deskFor, deskOfRole, emptyLine } from './desk'
import { isNight } from './extent'
import { overBeforeShown, provoke } from './faults'
import { accountOf, arrive, asAdmin, hire } from './people'
import { choose } from './queue'
import { expect, test } from './test'

// The tests share the line of their installation, so they run one after the other.
test.describe.configure({ mode: 'serial' })

const classes = ['normal', 'deadline', 'priority'] as const
const rounds = isNight ? 50 : 3

async function waitingVisitor(name: string, of: (typeof classes)[number] = 'normal') {
  const pa = await deskOfRole('pa')
  const visit = await pa.sendToLine(await (await deskOfRole('reception')).register({ name }))
  if (of !== 'normal') await pa.act(visit, 'class', { class: of })
  return visit
}

/** Opens the dashboard of a new consultant whose desk is open under this number. */
async function openRoom(browser: Browser, counter: string) {
  const account = await hire('consultant')
  const own = await deskFor(account)
  await expect.poll((await deskOfRole('admin')).consultants).toContain(own.userId)
  await own.openDesk(counter)
  return { ...(await arrive(browser, account, { theme: 'system' })), own }
}

const tokenIn = (text: string | null) => /[A-Z]-\d{3,}/.exec(text ?? '')?.[0]

test('row 1, the mark Next, the filled button and the visitor whom F2 calls are one', async ({ browser }) => {
  await emptyLine()
  const { page, context, own } = await openRoom(browser, '3')
  provoke(page, overBeforeShown)
  const pa = await deskOfRole('pa')
  for (let round = 0; round < rounds; round += 1) {
    for (let count = 0; count < 3; count += 1) {
      const visit = await waitingVisitor(
        `Round ${round}`,
        classes[Math.floor(Math.random() * classes.length)],
      )
      if (Math.random() < 0.3) await pa.act(visit, 'pin', { consultant_id: own.userId })
    }
    const [expected] = (await own.line()).line
    await expect(queueRows(page).first()).toContainText(expected?.token ?? 'no visitor')
    await expect(queueRows(page)).toHaveCount(3)
    await expect(queueRows(page).filter({ has: page.getByText('Next', { exact: true }) })).toHaveCount(1)
    await expect(queueRows(page).first()).toContainText('Next')
    await expect(callButton(page, expected?.token)).toBeEnabled()
    await expect(page.locator('.ant-btn-primary:visible')).toHaveCount(1)
    await page.keyboard.press('F2')
    await expect(openCall(page).getByRole('article', { name: `Token ${expected?.token}` })).toBeVisible()
    await expect(page.locator('.ant-btn-primary:visible')).toHaveCount(1)
    await own.act({ id: expected?.visitId ?? '' }, 'release')
    await expect(openCall(page)).toHaveCount(0)
    await emptyLine()
    await expect(page.getByText('No visitors in queue')).toBeVisible()
  }
  await context.close()
})

test('four consultants at once call four visitors', async ({ browser }) => {
  await emptyLine()
  const rooms = await Promise.all(['11', '12', '13', '14'].map((counter) => openRoom(browser, counter)))
  for (let count = 0; count < 4; count += 1) await waitingVisitor(`Of four ${count}`)
  for (const { page } of rooms) {
    provoke(page, /^409 POST \/api\/visits\/next$/) // another visitor is next by now
    await expect(queueRows(page)).toHaveCount(4)
  }
  await Promise.all(
    rooms.map(({ page }) =>
      expect(async () => {
        if ((await openCall(page).count()) > 0) return
        const answer = page.waitForResponse((response) => response.url().endsWith('/api/visits/next'))
        await page.keyboard.press('F2')
        expect((await answer).status()).toBe(200)
      }).toPass(),
    ),
  )
  const called = await Promise.all(rooms.map(async ({ page }) => tokenIn(await openCall(page).textContent())))
  expect(new Set(called).size, called.join()).toBe(4)
  for (const { context, own } of rooms) {
    for (const visit of (await own.today()).visits) await own.act(visit, 'leave')
    await context.close()
  }
})

test('a fresh account opens its desk with a number before it calls', async ({ browser }) => {
  await emptyLine()
  await waitingVisitor('Waits for a desk')
  const { page, context } = await arrive(browser, await hire('consultant'), { theme: 'system' })
  await expect(page.getByText('Open your desk to begin')).toBeVisible()
  await expect(sessionCard(page)).toContainText('1 visitor waits for you')
  await expect(callButton(page)).toHaveCount(0)
  await expect(page.locator('.page-head').getByText('Desk closed')).toBeVisible()
  await atEveryLook(page, async (look, rules) => {
    expect(await violationsOf(page, rules), look).toEqual([])
    await isWithinView(page, /^Open desk/)
  })
  await page.keyboard.press('F2')
  await expect(page.getByLabel('Desk number')).toBeFocused()
  await page.keyboard.type('21')
  await page.keyboard.press('Enter')
  await expect(callButton(page)).toBeFocused()
  await expect(page.locator('.page-head').getByText('Desk 21 open')).toBeVisible()
  await emptyLine()
  await context.close()
})

test('no button of a call is refused as too soon, and its keys wait like it', async ({ browser }) => {
  await emptyLine()
  const { page, context } = await openRoom(browser, '51')
  const visit = await waitingVisitor('Is called again')
  await expect(callButton(page, visit.token)).toBeEnabled()
  // Records, at each change of the page, the buttons that are enabled although they still count down.
  await page.evaluate(() => {
    const early: string[] = []
    new MutationObserver(() => {
      for (const button of document.querySelectorAll<HTMLButtonElement>('.session-card button:enabled'))
        if (/^(Call again|Not here) in /.test(button.textContent)) early.push(button.textContent)
    }).observe(document.body, { attributes: true, childList: true, subtree: true, characterData: true })
    Object.assign(window, { early })
  })
  await page.keyboard.press('F2')
  const recall = openCall(page).getByRole('button', { name: /^Call again/ })
  const miss = openCall(page).getByRole('button', { name: /^Not here/ })
  await expect(recall).toBeVisible()
  // Keys pressed before the count-down ends must send no request: a rejected request would be a fault. On a slow
  // machine, the count-down may have ended.
  await page.keyboard.press('F8')
  await page.keyboard.press('Shift+F8')
  await recall.click()
  await expect(openCall(page)).toContainText(/Called [23] times/)
  expect(await page.evaluate(() => (window as unknown as { early: string[] }).early)).toEqual([])
  await miss.click()
  await expect(openCall(page)).toHaveCount(0)
  await expect(page.getByText('1 on hold or not here')).toBeVisible()
  await (await deskOfRole('pa')).act(visit, 'leave')
  await context.close()
})

/** Opens the dialog in which a PA calls a visitor for a consultant, and chooses the consultant by name. */
async function callFor(page: Page, token: string, name: string) {
  await choose(page, token, 'Call for...')
  const dialog = page.getByRole('dialog', { name: `Call ${token} for` })
  await dialog.getByLabel('Consultant').fill(name)
  await page.locator('.ant-select-dropdown:visible').getByTitle(name, { exact: true }).click()
  return { dialog, call: dialog.getByRole('button', { name: 'Call', exact: true }) }
}

type Desks = { desks: { consultantId: string; state: string }[] }

test('a PA calls to a desk with a number only, and reads whom a consultant has called', async ({
  browser,
}) => {
  await emptyLine()
  const account = await hire('consultant')
  const own = await deskFor(account)
  const desks = async () => (await asAdmin<Desks>('GET', '/api/visits/desks')).desks
  await expect.poll(desks).toContainEqual(expect.objectContaining({ consultantId: own.userId, state: 'off' }))
  const [first, second] = [await waitingVisitor('Called by the PA'), await waitingVisitor('Called too early')]
  const { page, context } = await arrive(browser, accountOf('pa'), { at: '/dashboard/pa?tab=line' })
  const atClosed = await callFor(page, first.token, account.name)
  await atClosed.call.click()
  await expect(atClosed.dialog.getByText('Please enter the desk number')).toBeVisible()
  await atClosed.dialog.getByLabel('Desk number').fill('61')
  await atClosed.call.click()
  await expect(atClosed.dialog).toBeHidden()
  const lane = page.locator('.lane').filter({ hasText: account.name })
  await expect(lane).toContainText(new RegExp(`Called ${first.token} \\d+:\\d\\d, Desk 61`))

  provoke(page, /^409 POST \/api\/visits\/[^/]+\/call$/)
  const atBusy = await callFor(page, second.token, account.name)
  await expect(atBusy.dialog.getByLabel('Desk number')).toHaveCount(0)
  await atBusy.call.click()
  await expect(page.getByText(`${account.name} has called ${first.token}.`).first()).toBeVisible()
  await own.act(first, 'leave')
  await emptyLine()
  await context.close()
})

/** Asserts that a button of the session card is in view without scrolling. */
const isWithinView = async (page: Page, name: RegExp) => {
  await page.evaluate(() => window.scrollTo(0, 0))
  await expect(sessionCard(page).getByRole('button', { name })).toBeInViewport({ ratio: 1 })
}

type Added = { device: { id: string }; pairing_code: string }

test('a call by mistake is taken back: the visitor has the old place, and the board is blank', async ({
  browser,
}) => {
  await emptyLine()
  const { device, pairing_code: code } = await asAdmin<Added>('POST', '/api/devices', {
    kind: 'display',
    name: 'Waiting room',
  })
  const screen = await browser.newContext()
  const board = await screen.newPage()
  await board.goto('/board')
  await board.getByLabel('Pairing code').fill(code)
  await board.getByRole('button', { name: 'Pair' }).click()
  await expect(board.getByRole('heading', { name: 'Now serving' })).toBeVisible()

  const { page, context, own } = await openRoom(browser, '31')
  const [first, second] = [await waitingVisitor('Called by mistake'), await waitingVisitor('The second one')]
  await expect(callButton(page, first.token)).toBeEnabled()
  await page.keyboard.press('F2')
  await expect(openCall(page)).toContainText('Called by mistake')
  await expect(board.locator('.call-token')).toHaveText(first.token)
  await atEveryLook(page, async (look, rules) => {
    expect(await violationsOf(page, rules), look).toEqual([])
    await isWithinView(page, /^Start Session/)
  })
  await page.keyboard.press('Control+F8')
  const released = Date.now()
  // Only the calls are checked, because the visitor waits again and may be among the next ones.
  const calls = board.locator('.call-token, .board-earlier .board-token').filter({ visible: true })
  await expect(calls.filter({ hasText: first.token })).toHaveCount(0)
  if (isNight) expect(Date.now() - released).toBeLessThan(2_000)
  await expect(callButton(page, first.token)).toBeEnabled()
  await expect(queueRows(page).first()).toContainText(first.token)
  await expect(queueRows(page).nth(1)).toContainText(second.token)
  expect((await own.line()).line.map(({ token }) => token)).toEqual([first.token, second.token])

  await screen.close()
  await asAdmin('PUT', `/api/devices/${device.id}`, { revoked: true })
  await emptyLine()
  await context.close()
})
