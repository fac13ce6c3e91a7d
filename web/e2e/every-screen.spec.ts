import type { Browser, BrowserContext, BrowserContextOptions, Locator, Page } from '@playwright/test'
import type { Scene } from '../scenes/scene'
import { screens } from '../scenes/screens'
import { followSystemTheme, violationsOf } from './accessibility'
import { busyConsultant, busyOffice } from './desk'
import { isNight, looks, type Look } from './extent'
import { accountOf, hire, openSession, type Account, type Role } from './people'
import { holdToast, leave, stopClocks } from './state'
import { expect, test } from './test'

// The test has hundreds of steps, and a trace of them would take longer than the steps themselves.
test.use({ trace: 'off' })

type State = { name: string; scene: Scene }

// Parallel tests may run on different installations.
test.describe.configure({ mode: 'parallel' })

let consultant: Account
let ready = false

// Creates, once per installation, a busy consultant, a free one, and twenty visits that wait for a decision.
test.beforeAll(async () => {
  if (ready) return
  consultant = await hire('consultant')
  await busyConsultant(consultant, 20)
  await hire('consultant')
  await busyOffice(20)
  ready = true
})

const sessionOf = async (role: Role) =>
  (await openSession(role === 'consultant' ? consultant : accountOf(role))).storageState

for (const { name, role, scenes } of screens) {
  test(`axe finds nothing on ${name} and its tokens are set in Anek, whatever its state`, async ({
    browser,
  }) => {
    test.setTimeout(isNight ? 1_800_000 : 600_000)
    const options = role ? { storageState: await sessionOf(role) } : {}
    // A merge checks the first state of each screen only.
    const states = Object.entries(scenes)
      .slice(0, isNight ? undefined : 1)
      .map(([state, scene]) => ({ name: `${name}, ${state}`, scene }))
    await Promise.all([lane(browser, options, states), lane(browser, options, states)])
  })
}

/**
 * Checks the remaining states one by one in a browser context. Two contexts share the list of states, so that one
 * works while the other waits.
 */
async function lane(browser: Browser, options: BrowserContextOptions, states: State[]) {
  const context = await browser.newContext(options)
  for (let state = states.shift(); state; state = states.shift()) await judge(context, state)
  await context.close()
}

/** Asserts that a state has no violation in any look. One page load serves all looks while the state lasts. */
async function judge(context: BrowserContext, { name, scene }: State) {
  let page = await context.newPage()
  let seen: Locator | undefined
  for (const { width, theme } of looks) {
    const rules = isNight && theme === 'dark' ? 'colours' : 'all'
    let violations: string[] = []
    // A toast may end while axe runs on a slow machine. If the state has ended during the check, the check is repeated.
    await expect(async () => {
      await wear(page, { width, theme })
      if (!(await seen?.isVisible())) {
        await leave(page)
        page = await context.newPage()
        await wear(page, { width, theme })
        await followSystemTheme(page)
        await page.addInitScript(stopClocks)
        seen = await scene(page)
        await expect(seen, name).toBeVisible()
      }
      await holdToast(page)
      await expect(page.locator('html')).toHaveAttribute('data-theme', theme)
      violations = [...(await violationsOf(page, rules)), ...(await strangeTokens(page))]
      if (seen) expect(await seen.isVisible(), `${name} lasts until it is judged`).toBe(true)
    }).toPass()
    expect.soft(violations, `${name}, ${width} px, ${theme}`).toEqual([])
  }
  await leave(page)
}

/**
 * The tokens that are not set in the font Anek. The font is easily forgotten in a button, because a button
 * does not inherit the page's font.
 */
const strangeTokens = (page: Page) =>
  page.locator('.token, .ticket-number, .token-large, .token-slip-number').evaluateAll((tokens) =>
    tokens
      // A live change may have removed the token meanwhile.
      .filter((token) => token.isConnected)
      .filter((token) => !/^"?Anek Latin Variable/.test(getComputedStyle(token).fontFamily))
      .map((token) => `the token ${token.textContent} is not set in Anek`),
  )

async function wear(page: Page, { width, theme }: Pick<Look, 'width' | 'theme'>) {
  await page.setViewportSize({ width, height: 900 })
  await page.emulateMedia({ colorScheme: theme })
}
