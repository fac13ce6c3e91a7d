import type { Browser, Page } from '@playwright/test'
import { callButton, sessionCard, startCalled } from './consultant'
import { deskFor, deskOfRole, emptyLine, emptyOffice, welcome } from './desk'
import { overBeforeShown, provoke } from './faults'
import { accountOf, arrive, hire, type Account } from './people'
import { find, queueOf } from './queue'
import { expect, test } from './test'

// The tests share the line and the list of new visitors, so they run one after the other.
test.describe.configure({ mode: 'serial' })

const shelfOf = (page: Page) => page.locator('.shelf-open')
const undoOf = (page: Page, token: string) => page.getByRole('button', { name: `Undo: ${token} approved.` })
const card = (page: Page, token: string) => page.getByRole('article', { name: new RegExp(`^${token} `) })

/**
 * The enabled controls whose centre is under the shelf, the bar at the bottom of the page that offers to undo the last
 * change.
 */
const coveredIn = (page: Page) =>
  page
    .locator('button:enabled, input:enabled, textarea:enabled, a[href], [tabindex="0"]:not(.scroll-region)')
    .evaluateAll((controls) => {
      const shelf = document.querySelector('.shelf-open')?.getBoundingClientRect()
      if (!shelf) return ['the shelf is not shown']
      const isUnder = (control: Element) => {
        const { left, right, top, bottom } = control.getBoundingClientRect()
        const [x, y] = [(left + right) / 2, (top + bottom) / 2]
        if (x < shelf.left || x > shelf.right || y < shelf.top || y > shelf.bottom) return false
        // If the list ends above the shelf, a control that is scrolled out of the list is not visible there.
        const list = control.closest('.scroll-region')?.getBoundingClientRect()
        if (list && list.bottom <= shelf.top && y > list.bottom) return false
        const hit = document.elementFromPoint(x, y)?.closest('.shelf')
        return hit !== null && hit !== undefined && !hit.contains(control)
      }
      return controls
        .filter(isUnder)
        .map((control) => `${control.getAttribute('class')} ${control.textContent}`)
    })

/** The controls of the page that stay under the shelf however far the page is scrolled. */
const stuckIn = (page: Page) =>
  page.locator('main button:enabled, main input:enabled, main textarea:enabled').evaluateAll((controls) => {
    const shelf = document.querySelector('.shelf-open')
    if (!shelf) return ['the shelf is not shown']
    const isStuck = (control: Element) => {
      control.scrollIntoView({ block: 'center' })
      const { top, bottom } = control.getBoundingClientRect()
      return (top + bottom) / 2 > shelf.getBoundingClientRect().top
    }
    const seen = controls.filter((control) => control.checkVisibility() && !control.closest('.session-end'))
    return seen.filter(isStuck).map((control) => `${control.getAttribute('class')} ${control.textContent}`)
  })

const success = 'Visitor approveed successfully'

/**
 * Counts at each change of the page how many times the page has the text of a success, which is shown for two seconds
 * only. Returns a function for the maximum.
 */
async function watchSuccess(page: Page, { source }: RegExp) {
  await page.evaluate((pattern) => {
    const text = new RegExp(pattern)
    const counts: number[] = []
    const look = () => counts.push(document.body.textContent.split(text).length - 1)
    new MutationObserver(look).observe(document.body, { childList: true, subtree: true, characterData: true })
    Object.assign(window, { counts })
  }, source)
  return () => page.evaluate(() => Math.max(0, ...(window as unknown as { counts: number[] }).counts))
}

/** Opens the dashboard of a PA, who then sends three visitors to the line. */
async function sendThree(browser: Browser) {
  await emptyOffice() // A long list makes actions slow, and an undo is possible for 30 seconds only.
  const three = await welcome(3)
  const { page, context } = await arrive(browser, accountOf('pa'))
  const most = await watchSuccess(page, successes.pa)
  for (const { token } of three) {
    await card(page, token).getByRole('combobox').focus()
    await page.keyboard.press('Control+Shift+Enter')
    await expect(card(page, token)).toHaveCount(0)
  }
  const tokens = three.map(({ token }) => token) as [string, string, string]
  return { page, context, most, tokens }
}

test('of three quick actions the last one is shown, first by its text, then by its sentence', async ({
  browser,
}) => {
  const { page, context, most, tokens } = await sendThree(browser)
  const [, second, third] = tokens
  await expect(undoOf(page, third)).toBeVisible()
  await expect(page.getByText(`${third} approved.`)).toBeVisible()
  await expect(page.getByText(success)).toHaveCount(0)
  expect(await most()).toBe(1)
  await expect(undoOf(page, second)).toHaveCount(0)
  await context.close()
})

test(
  'three quick actions are one entry and two more, and each is undone by key or by its button',
  { tag: '@main' },
  async ({ browser }) => {
    const { page, context, tokens } = await sendThree(browser)
    const [first, second, third] = tokens
    const undos = page.getByRole('region', { name: 'Undo' })
    await undos.getByRole('button', { name: '2 more' }).click()
    await undoOf(page, first).click()
    await expect(card(page, first)).toBeVisible()
    await undos.getByRole('button', { name: '1 more' }).press('Escape')
    await page.keyboard.press('Control+F9')
    await expect(card(page, third)).toBeVisible()
    await page.keyboard.press('Control+F9')
    await expect(card(page, second)).toBeVisible()
    await expect(shelfOf(page)).toHaveCount(0)
    await context.close()
  },
)

test('no row of a list at its end moves when the shelf goes away', async ({ browser }) => {
  await welcome(12)
  const { page, context } = await arrive(browser, accountOf('pa'), {
    viewport: { width: 1280, height: 720 },
  })
  const list = page.getByRole('group', { name: 'Pending Approvals' })
  const first = list.getByRole('article').first()
  await first.getByRole('button', { name: 'Send to line' }).click()
  await expect(shelfOf(page)).toBeVisible()
  await expect(first.getByRole('combobox')).toBeFocused()
  const toEnd = () =>
    list.evaluate((region) => {
      region.scrollTop = region.scrollHeight
      return Math.round(region.scrollHeight - region.clientHeight - region.scrollTop)
    })
  await expect.poll(toEnd).toBe(0)
  const scrolled = () => list.evaluate((region) => region.scrollTop)
  const before = await scrolled()
  expect(before).toBeGreaterThan(56)
  // The loop does nothing if the shelf has already disappeared by itself.
  const hide = page.getByRole('button', { name: /^Hide: / })
  await hide.evaluateAll((buttons) => buttons.forEach((button) => (button as HTMLElement).click()))
  await expect(shelfOf(page)).toHaveCount(0)
  expect(await scrolled()).toBe(before)

  const height = async () => (await list.boundingBox())?.height ?? 0
  const short = await height()
  await list.evaluate((region) => (region.scrollTop = 0))
  await expect.poll(height).toBe(short + 56)
  await context.close()
})

test('no row moves when the shelf comes and goes', async ({ browser }) => {
  await emptyOffice()
  const name = `Row ${Date.now() % 1_000_000}`
  const reception = await deskOfRole('reception')
  for (const number of [1, 2, 3, 4]) await reception.register({ name: `${name} ${number}` }, 'ITR Filing')
  const { page, context } = await arrive(browser, accountOf('reception'))
  // The class of a new visitor moves no row, because the visitor has no place in the line yet. The row shows
  // the class beside the service.
  const rows = await find(page, name)
  await expect(rows).toHaveCount(4)
  const tops = () => rows.evaluateAll((all) => all.map((row) => row.getBoundingClientRect().top))
  const before = await tops()
  await rows
    .nth(1)
    .getByRole('button', { name: /^Actions for/ })
    .click()
  await page.getByRole('menuitem', { name: 'Priority' }).click()
  await page.getByRole('menuitem', { name: 'Deadline today' }).click()
  await expect(shelfOf(page)).toBeVisible()
  expect(await tops()).toEqual(before)
  const list = await queueOf(page).boundingBox()
  expect((list?.y ?? 0) + (list?.height ?? 0)).toBeLessThanOrEqual(
    (await shelfOf(page).boundingBox())?.y ?? 0,
  )
  await page.getByRole('button', { name: /^Hide: / }).click()
  await expect(shelfOf(page)).toHaveCount(0)
  expect(await tops()).toEqual(before)
  await context.close()
})

test('the height of a list does not depend on an animation that moves it', async ({ browser }) => {
  await welcome(12)
  const { page, context } = await arrive(browser, accountOf('reception'))
  const list = queueOf(page)
  await expect(list.getByRole('listitem').nth(11)).toBeVisible()
  const height = () => list.evaluate((region) => region.clientHeight)
  await page.setViewportSize({ width: 1440, height: 700 })
  const window700 = await height()
  await list.evaluate((region) => {
    const frames = [{ transform: 'translateY(-100px)' }, { transform: 'translateY(-100px)' }]
    region.closest('.panel')?.animate(frames, { duration: 600_000 })
  })
  await page.setViewportSize({ width: 1440, height: 660 })
  await expect.poll(height).toBe(window700 - 40)
  await context.close()
})

/** Lets changes of the page be undone for ten more minutes, so that the shelf is open however slow the machine is. */
const undoForLong = (page: Page) =>
  page.route('**/api/**', async (route) => {
    if (route.request().method() === 'GET') return route.fallback()
    const response = await route.fetch()
    const body = (await response.text()).replace(/(?<="until":")[^"]+/g, (until) =>
      new Date(Date.parse(until) + 600_000).toISOString(),
    )
    return route.fulfill({ response, body })
  })

/** For each role, an action on the dashboard that can be undone. */
const actions: Record<Account['role'], (page: Page) => Promise<void>> = {
  reception: async (page) => {
    await page.getByLabel('Visitor Name').fill('Asha Kulkarni')
    await page.getByLabel('Phone Number').fill(`7${String(Date.now()).slice(-9)}`)
    await page.getByLabel('Service Required').click()
    await page.getByTitle('GST Registration').click()
    await page.getByRole('button', { name: 'Create Token' }).click()
  },
  pa: async (page) => {
    await page.getByRole('article').first().getByRole('button', { name: 'Send to line' }).click()
  },
  consultant: async (page) => {
    await expect(callButton(page)).toBeEnabled()
    await page.keyboard.press('F2')
    await startCalled(page)
    await expect(sessionCard(page).getByRole('timer')).toBeVisible()
  },
  admin: async (page) => {
    const name = (await hire('reception', `Rhea ${Date.now() % 1_000_000}`)).name
    await page.getByRole('button', { name: `Deactivate ${name}` }).click()
  },
}

/** For each role, the text that reports the success of the action. */
const successes: Record<Account['role'], RegExp> = {
  reception: /Token [A-Z]-\d+ created successfully/,
  pa: new RegExp(success),
  consultant: /Session started with /,
  admin: / cannot sign in any more\./,
}

/** Opens the dashboard of a role on which the action is possible. */
async function open(browser: Browser, role: Account['role']) {
  if (role !== 'consultant') {
    const at = role === 'admin' ? '/dashboard/admin?tab=staff' : undefined
    return arrive(browser, accountOf(role), at ? { at } : {})
  }
  const account = await hire('consultant')
  const own = await deskFor(account)
  await expect.poll((await deskOfRole('admin')).consultants).toContain(own.userId)
  await own.openDesk('3')
  await emptyLine()
  const [visit] = await welcome(1)
  if (visit) await (await deskOfRole('pa')).sendToLine(visit)
  return arrive(browser, account)
}

for (const role of ['reception', 'pa', 'consultant', 'admin'] as const) {
  test(`after an action of the ${role} there is one message, and no control is under the shelf`, async ({
    browser,
  }) => {
    await welcome(3)
    const { page, context } = await open(browser, role)
    provoke(page, overBeforeShown)
    await undoForLong(page)
    const most = await watchSuccess(page, successes[role])
    await actions[role](page)
    await expect(page.getByRole('button', { name: /^Undo: / })).toBeVisible()
    await expect.poll(most).toBe(1)
    for (const { width, height } of [
      { width: 1440, height: 900 },
      { width: 1280, height: 720 },
    ]) {
      await page.setViewportSize({ width, height })
      await page.evaluate(() => scrollTo(0, 0))
      await expect.poll(() => coveredIn(page), `${width}x${height}`).toEqual([])
    }
    await page.setViewportSize({ width: 390, height: 844 })
    await expect.poll(async () => (await shelfOf(page).boundingBox())?.width).toBe(390)
    expect(await stuckIn(page)).toEqual([])
    expect(await most()).toBe(1)
    await context.close()
  })
}
