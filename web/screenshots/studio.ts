import { expect, test, type Browser, type BrowserContext, type Page } from '@playwright/test'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { accountOf, signIn, type Role } from '../e2e/people'
import type { Screen } from '../scenes/scene'

type State = Awaited<ReturnType<BrowserContext['storageState']>>

/** Where the pictures go. */
export function folder(): string {
  const path = process.env.BAARI_PICTURES
  if (!path) throw new Error('BAARI_PICTURES is not set: name a folder for the pictures.')
  mkdirSync(path, { recursive: true })
  return path
}

const looks = [
  { width: 1440, height: 900 },
  { width: 1280, height: 720 },
  { width: 390, height: 844 },
].flatMap((size) => (['light', 'dark'] as const).map((theme) => ({ ...size, theme })))

/** Takes a picture of each state of a screen, in every theme and width. */
export function pictures({ name, role, scenes }: Screen) {
  for (const [state, scene] of Object.entries(scenes)) {
    for (const { width, height, theme } of looks) {
      test(`${name}, ${state}, ${width} px, ${theme}`, async ({ browser }) => {
        const context = await browser.newContext({
          viewport: { width, height },
          reducedMotion: 'reduce',
          ...(role ? { storageState: await sessionOf(browser, role) } : {}),
        })
        await context.addInitScript((stored) => localStorage.setItem('ui-theme', stored), theme)
        const page = await context.newPage()
        const seen = await scene(page)
        await settle(page)
        await expect(seen).toBeVisible()
        // A dialog's veil has the size of the window, and a list of choices closes when the window grows.
        const floating = page.getByRole('dialog').or(page.getByRole('listbox'))
        const fullPage = (await floating.count()) === 0
        // The bar of a scrolled page would cut the picture in two.
        if (fullPage) await page.evaluate(() => window.scrollTo(0, 0))
        await page.screenshot({
          path: join(folder(), `${name}-${state}-${width}-${theme}.png`),
          fullPage,
        })
        await context.close()
      })
    }
  }
}

const sessions = new Map<Role, State>()

/** One session for all pictures of a role. */
async function sessionOf(browser: Browser, role: Role): Promise<State> {
  const known = sessions.get(role)
  if (known) return known
  const context = await browser.newContext()
  const page = await context.newPage()
  await signIn(page, accountOf(role))
  const state = await context.storageState()
  await context.close()
  sessions.set(role, state)
  return state
}

/** Waits until the fonts are loaded and nothing moves. */
async function settle(page: Page) {
  await expect(page.locator('#root')).not.toBeEmpty()
  await page.evaluate(() => document.fonts.ready)
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 350)))
  await expect(page.locator('[class*="-enter-active"], [class*="-appear-active"]')).toHaveCount(0)
}
