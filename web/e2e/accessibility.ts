import { expect, type Page } from '@playwright/test'
import axe from 'axe-core'

const widths = [1440, 390]
const themes = ['light', 'dark'] as const

/** The rules of colours suffice for the second theme of a state: a theme changes nothing else. */
type Rules = 'all' | 'colours'

/** Runs axe on the page in its current state, on every element. */
export async function violationsOf(page: Page, rules: Rules = 'all'): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source)
  return page.evaluate(async (chosen) => {
    // A colour in transition between two themes belongs to neither.
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
    // axe no longer checks this by default: a label refers to the first element with an id only.
    const ids = [...document.querySelectorAll('[id]')].map(({ id }) => id)
    const twice = new Set(ids.filter((id, index) => ids.indexOf(id) < index))
    return [
      ...violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`),
      ...[...twice].map((id) => `the id ${id} is used twice`),
    ]
  }, rules)
}

/**
 * Calls `check` at both widths and in both themes, with the name of each. The page must follow the system's theme; see
 * `followSystemTheme`.
 */
export async function atEveryLook(page: Page, check: (look: string, rules: Rules) => Promise<void>) {
  for (const width of widths) {
    await page.setViewportSize({ width, height: 900 })
    for (const colorScheme of themes) {
      await page.emulateMedia({ colorScheme })
      await expect(page.locator('html')).toHaveAttribute('data-theme', colorScheme)
      await check(`${width} px, ${colorScheme}`, colorScheme === 'light' ? 'all' : 'colours')
    }
  }
  await page.setViewportSize({ width: 1440, height: 900 })
}

/** Asserts that the current screen has no violation at both widths and in both themes. */
export const expectAccessible = (page: Page, state: string) =>
  atEveryLook(page, async (look, rules) => {
    expect.soft(await violationsOf(page, rules), `${state}, ${look}`).toEqual([])
  })

/** From the next load on, the theme follows the system's, which a test can change on an open page. Motion is off. */
export async function followSystemTheme(page: Page) {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.addInitScript(() => localStorage.setItem('ui-theme', 'system'))
}

declare global {
  // eslint-disable-next-line @typescript-eslint/consistent-type-definitions -- only an interface can be merged
  interface Window {
    axe: typeof axe
  }
}
