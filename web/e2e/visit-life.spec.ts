import type { Browser, Page } from '@playwright/test'
import { approved, flashes } from './answers'
import { callButton, openCall, sessionCard, startCalled } from './consultant'
import { deskFor, deskOfRole, emptyLine } from './desk'
import { accountOf, arrive, hire, type Account } from './people'
import { choose, find, queueOf } from './queue'
import { expect, test } from './test'

// Other tests run with reduced motion. Here the pages are animated, as users see them.
test.use({ contextOptions: { reducedMotion: 'no-preference' } })

// The tests share the line of their installation, so they run one after the other.
test.describe.configure({ mode: 'serial' })

const phone = () => `7${String(Date.now()).slice(-9)}`
const rowOf = (page: Page, token: string) => queueOf(page).getByRole('listitem').filter({ hasText: token })

/** Opens the dashboard of a new consultant whose next visitor is one of the test's own. */
async function openRoom(browser: Browser): Promise<{ account: Account; page: Page; userId: string }> {
  const account = await hire('consultant')
  const own = await deskFor(account)
  const { userId } = own
  await expect.poll((await deskOfRole('admin')).consultants).toContain(userId)
  await own.openDesk('3')
  await emptyLine()
  const { page } = await arrive(browser, account)
  await expect(page.getByRole('region', { name: 'My Desk' })).toBeVisible()
  return { account, page, userId }
}

async function waitingVisitor(name: string) {
  const visit = await (await deskOfRole('reception')).register({ name, phone: phone() })
  return (await deskOfRole('pa')).sendToLine(visit)
}

test(
  'the PA sends a visitor to the line without a consultant; call, not here and back go by keys',
  { tag: '@main' },
  async ({ browser }) => {
    const { page } = await openRoom(browser)
    const reception = await arrive(browser, accountOf('reception'))
    const visit = await (await deskOfRole('reception')).register({ name: 'Asha of the line', phone: phone() })
    const pa = await arrive(browser, accountOf('pa'))

    await test.step('Ctrl+Shift+Enter in the card sends the visitor to the line', async () => {
      const card = pa.page.getByRole('article', { name: `${visit.token} Asha of the line` })
      await card.getByRole('combobox').focus()
      await pa.page.keyboard.press('Control+Shift+Enter')
      await expect(pa.page.getByText(approved)).toBeVisible()
      await expect(card).toHaveCount(0)
      await pa.page.keyboard.press('F8')
      await expect(pa.page.getByRole('group', { name: 'Line', exact: true })).toContainText(visit.token)
    })

    await test.step('F2 calls, and the name is shown with the call only', async () => {
      await expect(callButton(page, visit.token)).toBeEnabled()
      await expect(page.getByText('Asha of the line')).toHaveCount(0)
      // The alert is shown for five seconds, so the test begins to wait for it before the call.
      const alert = reception.page.getByText(new RegExp(`^Token ${visit.token}: `))
      await Promise.all([expect(alert).toBeVisible(), page.keyboard.press('F2')])
      await expect(openCall(page)).toContainText('Asha of the line')
      await expect(await find(reception.page, visit.token)).toContainText('called')
    })

    await test.step('who does not come is marked, and put back by reception', async () => {
      const recall = openCall(page).getByRole('button', { name: 'Call again', exact: true })
      await expect(recall).toBeEnabled() // ten seconds after the call
      await page.keyboard.press('F8')
      await expect(openCall(page)).toContainText('Called 2 times')
      // The button is enabled when the response to the request to call again has arrived.
      await expect(openCall(page).getByRole('button', { name: 'Not here', exact: true })).toBeEnabled()
      await page.keyboard.press('Shift+F8')
      await expect(openCall(page)).toHaveCount(0)
      await expect(rowOf(reception.page, visit.token)).toContainText('not here')
      await reception.page.keyboard.press('F8')
      await expect(rowOf(reception.page, visit.token)).toHaveCount(1)
      await reception.page.keyboard.press('Control+Shift+F8')
      await expect(rowOf(reception.page, visit.token)).toContainText('approved')
    })

    await test.step('F2 calls again and starts the session', async () => {
      await expect(callButton(page)).toBeEnabled()
      await page.keyboard.press('F2')
      await startCalled(page)
      await expect(sessionCard(page).getByRole('timer')).toBeVisible()
    })
    for (const one of [page, pa.page, reception.page]) await one.context().close()
  },
)

test(
  'a session is held for papers and resumed with its time; a visitor is transferred',
  { tag: '@main' },
  async ({ browser }) => {
    const { page, account } = await openRoom(browser)
    const colleague = await hire('consultant', `Colleague ${Date.now() % 100_000}`)
    const visit = await waitingVisitor('Farida of the papers')
    await expect(callButton(page)).toBeEnabled()
    await page.keyboard.press('F2')
    await startCalled(page)
    await expect(sessionCard(page).getByRole('timer')).toHaveText(/00:0[3-9]/)
    await page.keyboard.press('F9')
    await expect(page.getByRole('dialog', { name: `Hold ${visit.token}` })).toBeVisible()
    await page.keyboard.press('Enter')
    await expect(page.getByText('No session in progress')).toBeVisible()

    await page.getByText('1 on hold or not here').click()
    await choose(page, visit.token, 'Resume')
    await page
      .getByRole('region', { name: 'My Queue' })
      .getByRole('button', { name: 'Start Session' })
      .click()
    await expect(sessionCard(page).getByRole('timer')).toHaveText(/00:(0[4-9]|[1-5]\d)/)

    await page.keyboard.press('Shift+F9')
    const dialog = page.getByRole('dialog', { name: `Transfer ${visit.token}` })
    await dialog.getByRole('combobox', { name: 'Consultant' }).click()
    await page.keyboard.type(colleague.name)
    await page.keyboard.press('Enter')
    await dialog.getByRole('button', { name: 'Transfer' }).click()
    await expect(page.getByText('No session in progress')).toBeVisible()
    const room = await arrive(browser, colleague)
    await expect(room.page.getByRole('region', { name: 'My Queue' })).toContainText('Farida of the papers')
    expect(account.name).not.toBe(colleague.name)
    await room.context.close()
    await page.context().close()
  },
)

test(
  'a change is undone by key, a visitor who left comes back, and a correction is kept',
  { tag: '@main' },
  async ({ browser }) => {
    const reception = await arrive(browser, accountOf('reception'))
    const { page } = reception
    const visit = await (await deskOfRole('reception')).register({ name: 'Ravi Sheti', phone: phone() })

    await find(page, visit.token)
    await choose(page, visit.token, 'Left')
    await expect(rowOf(page, visit.token)).toContainText('left')
    await expect(page.getByRole('button', { name: `Undo: ${visit.token} marked as left.` })).toBeVisible()
    const undone = flashes(page, `The last change of ${visit.token} was undone`)
    await page.keyboard.press('Control+F9')
    await undone
    await expect(rowOf(page, visit.token)).toContainText('new')

    // The action that the hidden bar offered is still in the menu of the visit. When the bar is hidden, the focus
    // returns to where it was.
    await choose(page, visit.token, 'Left')
    await expect(rowOf(page, visit.token)).toContainText('left')
    await page.getByRole('searchbox').focus()
    await page.getByRole('button', { name: `Hide: ${visit.token} marked as left.` }).focus()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('searchbox')).toBeFocused()
    await expect(page.getByRole('button', { name: `Undo: ${visit.token} marked as left.` })).toHaveCount(0)
    await expect(rowOf(page, visit.token)).toContainText('left')
    await choose(page, visit.token, 'Undo the last change')
    await expect(rowOf(page, visit.token)).toContainText('new')

    await choose(page, visit.token, 'Left')
    await expect(rowOf(page, visit.token)).toContainText('left')
    await choose(page, visit.token, 'Open again')
    await expect(rowOf(page, visit.token)).toContainText('new')

    await choose(page, visit.token, 'Correct...')
    const dialog = page.getByRole('dialog', { name: `Correct ${visit.token}` })
    await dialog.getByLabel('Visitor Name').fill('Ravi Shetty')
    await dialog.getByLabel('Visitor Name').press('Enter')
    await expect(dialog).toHaveCount(0)
    await expect(rowOf(page, visit.token)).toContainText('Ravi Shetty')
    await expect(rowOf(page, visit.token)).toContainText('Corrected')
    await page.getByRole('button', { name: `Show ${visit.token} again` }).click()
    await expect(page.locator('.token-slip')).toContainText('corrected')
    await reception.context.close()
  },
)

test('the PA moves a visitor by key, and closes the day', { tag: '@main' }, async ({ browser }) => {
  await emptyLine()
  const [first, second] = [await waitingVisitor('First in line'), await waitingVisitor('Second in line')]
  const { page, context } = await arrive(browser, accountOf('pa'))
  await page.keyboard.press('F8')
  const rows = page.locator('.place-row')
  await expect(rows).toHaveCount(2)
  await expect(rows.first()).toContainText(first.token)
  await expect(rows.first()).toBeFocused()
  const closed = page.locator('.lane').filter({ hasText: 'Desk closed' })
  await expect(closed.first()).toBeVisible()
  await expect(closed.filter({ hasText: 'Free' })).toHaveCount(0)
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Alt+ArrowUp')
  await expect(page.getByRole('dialog', { name: `Move ${second.token} before ${first.token}` })).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(page.getByText(`${second.token} moved in the line.`).first()).toBeAttached()
  await expect(rows.first()).toContainText(second.token)

  await page.getByRole('button', { name: 'Close the day' }).click()
  const sheet = page.getByRole('dialog', { name: 'Who is still here' })
  await sheet.getByRole('button', { name: `Carry over: ${first.token}` }).click()
  await expect(sheet.getByRole('listitem').filter({ hasText: first.token })).toContainText('Carried over')
  await sheet.getByRole('button', { name: `Left: ${second.token}` }).click()
  await expect(sheet.getByText(second.token)).toHaveCount(0)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('region', { name: 'Beside the line' })).toContainText(first.token)
  await context.close()
})
