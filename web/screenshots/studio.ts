import { expect, test, type Browser, type BrowserContext, type Page } from '@playwright/test'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { accountOf, signIn, type Role } from '../e2e/people'

type State = Awaited<ReturnType<BrowserContext['storageState']>>

/** Where the pictures go. */
export function folder(): string {
  const path = process.env.BAARI_PICTURES
  if (!path) throw new Error('BAARI_PICTURES is not set: name a folder for the pictures.')
  mkdirSync(path, { recursive: true })
  return path
}

const looks = [1440, 390].flatMap((width) => (['light', 'dark'] as const).map((theme) => ({ width, theme })))

type Scene = (page: Page) => Promise<unknown> | undefined

/** The screen as it opens. */
export const opened: Scene = () => undefined
type Options = {
  /** Who is signed in; nobody when it is left out. */
  role?: Role
  /** The address to open once the scene has prepared what the server answers; a scene of a stage opens it itself. */
  at: string
}

/** Takes a picture of each state of a screen, in every theme and width. A scene leads from the opened screen to its state. */
export function pictures(screen: string, { role, at }: Options, scenes: Record<string, Scene>) {
  for (const [state, scene] of Object.entries(scenes)) {
    for (const { width, theme } of looks) {
      test(`${screen}, ${state}, ${width} px, ${theme}`, async ({ browser }) => {
        const context = await browser.newContext({
          viewport: { width, height: width === 390 ? 844 : 900 },
          reducedMotion: 'reduce',
          ...(role ? { storageState: await sessionOf(browser, role) } : {}),
        })
        await context.addInitScript((stored) => localStorage.setItem('ui-theme', stored), theme)
        const page = await context.newPage()
        await scene(page)
        if (page.url() === 'about:blank') await page.goto(at)
        await settle(page)
        // A dialog's veil is as large as the window, and a list of choices closes when the window grows.
        const fullPage = (await page.locator('[role=dialog], [role=listbox]').count()) === 0
        if (fullPage) await page.evaluate(() => window.scrollTo(0, 0)) // a scrolled page's bar would cut it in two
        await page.screenshot({
          path: join(folder(), `${screen}-${state}-${width}-${theme}.png`),
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

/** The type is there, and nothing moves any more. */
async function settle(page: Page) {
  await expect(page.locator('#root')).not.toBeEmpty()
  await page.evaluate(() => document.fonts.ready)
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 350)))
  await expect(page.locator('[class*="-enter-active"], [class*="-appear-active"]')).toHaveCount(0)
}

/** The calls of these addresses get no answer. */
export const hold = (page: Page, ...addresses: string[]) =>
  Promise.all(addresses.map((address) => page.route(address, () => undefined)))

/** The calls of these addresses fail, as when a service is away. */
export const fail = (page: Page, ...addresses: string[]) =>
  Promise.all(
    addresses.map((address) =>
      page.route(address, (route) =>
        route.fulfill({
          status: 503,
          json: {
            error: 'The service is not available. Please try again.',
            code: 'unavailable',
            request_id: 'r1',
          },
        }),
      ),
    ),
  )

/** The calls of an address get this answer. */
export const answer = (page: Page, address: string, json: object) =>
  page.route(address, (route) => route.fulfill({ json }))
