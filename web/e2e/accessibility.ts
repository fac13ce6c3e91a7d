import { expect, type Page } from '@playwright/test'
import axe from 'axe-core'
import { looks } from './extent'

/** The axe rules to run. A second theme at the same width changes only colours, so 'colours' is enough for it. */
type Rules = 'all' | 'colours'

/** Runs axe on every element of the page in its current state, and returns the violations. */
export async function violationsOf(page: Page, rules: Rules = 'all'): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source)
  return page.evaluate(async (chosen) => {
    // While an element changes from one theme to the other, its colour belongs to neither, so this waits for
    // animations.
    const moving = () => document.getAnimations().filter(({ playState }) => playState === 'running')
    do {
      await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))
      await Promise.allSettled(moving().map(({ finished }) => finished))
    } while (moving().length > 0)
    const { violations } = await window.axe.run(document, {
      resultTypes: ['violations'],
      ...(chosen === 'colours' && {
        runOnly: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] },
      }),
    })
    // axe no longer checks for repeated ids by default. If two elements have the same id, a label refers to the first
    // of them.
    const ids = [...document.querySelectorAll('[id]')].map(({ id }) => id)
    const twice = new Set(ids.filter((id, index) => ids.indexOf(id) < index))
    return [
      ...violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`),
      ...[...twice].map((id) => `the id ${id} is used twice`),
    ]
  }, rules)
}

/**
 * Calls `check` in each look of this run, with the look's name and the rules to check. The page must follow the
 * system's theme.
 */
export async function atEveryLook(page: Page, check: (look: string, rules: Rules) => Promise<void>) {
  let checked = 0
  for (const { width, theme, name } of looks) {
    await page.setViewportSize({ width, height: 900 })
    await page.emulateMedia({ colorScheme: theme })
    await expect(page.locator('html')).toHaveAttribute('data-theme', theme)
    await check(name, width === checked ? 'colours' : 'all')
    checked = width
  }
  await page.setViewportSize({ width: 1440, height: 900 })
}

/** Asserts that the current screen has no violation in any look of this run. */
export const expectAccessible = (page: Page, state: string) =>
  atEveryLook(page, async (look, rules) => {
    expect.soft(await violationsOf(page, rules), `${state}, ${look}`).toEqual([])
  })

/**
 * Makes the page follow the system's theme from its next load on. A test can then change the system's theme while the
 * page is open.
 */
export async function followSystemTheme(page: Page) {
  await page.addInitScript(() => localStorage.setItem('ui-theme', 'system'))
}

declare global {
  // eslint-disable-next-line @typescript-eslint/consistent-type-definitions -- only an interface can be merged
  interface Window {
    axe: typeof axe
  }
}
