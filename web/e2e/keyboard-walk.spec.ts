import type { Browser, Page } from '@playwright/test'
import { screens } from '../scenes/screens'
import type { Scene } from '../scenes/scene'
import { busyConsultant, busyOffice } from './desk'
import { onlyAtNight } from './extent'
import { accountOf, hire, openSession, type Account, type Role } from './people'
import { expect, test } from './test'
import { beginWalk, leftOut, lookAround } from './walk'

/**
 * An element that opens over a screen, and the buttons that open it, one after the other. When it closes, the focus
 * returns to the last button.
 */
type Overlay = {
  title: string | RegExp
  over: string
  openers: (string | RegExp)[]
  /** Whether the last button closes the dialog that it is in. Then the focus returns to the first button. */
  closes?: true
}

type Round = { role?: Role; walked: string[]; overlays: Overlay[] }

/** The elements that the top bar of every dashboard opens. */
const ofTheBar = (over: string): Overlay[] => [
  { title: 'Notifications', over, openers: [/^Notifications,/] },
  { title: 'Profile', over, openers: [/Profile$/] },
  { title: 'Edit Profile', over, openers: [/Profile$/, 'Edit Profile'] },
  { title: 'Account Settings', over, openers: [/Profile$/, 'Account Settings'] },
]

const rounds: Record<string, Round> = {
  'the public': {
    walked: [
      'landing, page',
      'landing, form-errors',
      'sign-in, page',
      'register, page',
      'forgot-password, page',
      'reset-password, page',
      'reset-password, link-ended',
      'stop-email-change, page',
      'stop-email-change, link-ended',
      'not-found, page',
      'debug, page',
    ],
    overlays: [
      { title: 'How we use your details', over: 'landing, page', openers: ['Read the privacy notice'] },
    ],
  },
  reception: {
    role: 'reception',
    walked: ['reception, desk', 'reception, form-errors', 'reception, token-created', 'reception, requests'],
    overlays: [
      ...ofTheBar('reception, desk'),
      { title: 'How we use your details', over: 'reception, desk', openers: [/^More/, /^Privacy notice/] },
      {
        title: 'Keyboard shortcuts',
        over: 'reception, desk',
        openers: [/Profile$/, 'Keyboard shortcuts ?'],
        closes: true,
      },
      {
        title: 'Send notification',
        over: 'reception, desk',
        openers: [/^Notifications, /, 'Send notification'],
        closes: true,
      },
      { title: 'Token', over: 'reception, token-created', openers: ['Show Large'] },
    ],
  },
  'the PA': {
    role: 'pa',
    walked: ['pa, desk', 'pa, chosen', 'pa, line', 'pa, error'],
    overlays: [
      ...ofTheBar('pa, desk'),
      { title: 'Who is still here', over: 'pa, desk', openers: ['Close the day'] },
      { title: 'Desk of CA Zoya Khan', over: 'pa, line', openers: [/^Change the desk of CA Zoya/] },
    ],
  },
  'a consultant': {
    role: 'consultant',
    walked: ['consultant, desk', 'consultant, closed', 'consultant, called', 'consultant, failed'],
    overlays: [
      ...ofTheBar('consultant, desk'),
      { title: /^Desk of/, over: 'consultant, desk', openers: ['Change'] },
    ],
  },
  'the administrator': {
    role: 'admin',
    walked: [
      'admin, analytics',
      'admin, visitors',
      'admin-directory, services',
      'admin-directory, staff',
      'admin-audit, before',
      'admin-audit, records',
      'admin-figures, consultant',
      'admin-figures, service',
      'admin-office, appointments',
      'admin-privacy, register',
    ],
    overlays: [
      ...ofTheBar('admin, analytics'),
      { title: /^T-/, over: 'admin, visitors', openers: [/^History of/] },
      { title: 'Add Service', over: 'admin-directory, services', openers: ['Add Service'] },
      { title: 'Edit Service', over: 'admin-directory, services', openers: ['Edit ITR Filing'] },
      { title: 'Add a request', over: 'admin-privacy, register', openers: ['Add a request'] },
      { title: 'Who serves what', over: 'admin-directory, staff', openers: ['Skills'] },
      { title: 'Add Staff Member', over: 'admin-directory, staff', openers: ['Add Staff Member'] },
      { title: 'Edit Staff Member', over: 'admin-directory, staff', openers: [/^Edit /] },
    ],
  },
}

const sceneOf = new Map<string, Scene>(
  screens.flatMap(({ name, scenes }) =>
    Object.entries(scenes).map(([state, scene]) => [`${name}, ${state}`, scene] as const),
  ),
)

function scene(name: string): Scene {
  const found = sceneOf.get(name)
  if (!found) throw new Error(`there is no scene ${name}`)
  return found
}

// The merge gate covers a day of every role (keyboard-day.spec.ts); the nightly run covers every screen.
onlyAtNight()

let consultant: Account

test.beforeAll(async () => {
  consultant = await hire('consultant')
  await busyConsultant(consultant, 3)
  await hire('consultant')
  await busyOffice(4)
})

/** Moves through all stops of the page, from the first to the last, with Tab alone. */
async function walkAll(page: Page, state: string) {
  await page.mouse.move(0, 0) // A toast under the pointer would stay open.
  await expect(page.locator('.ant-message-notice')).toHaveCount(0)
  // The walk is repeated: on a slow machine a page may focus its form after the walk has begun.
  for (let rounds = 0; rounds < 2 || (rounds < 4 && (await leftOut(page)).length > 0); rounds++) {
    await beginWalk(page)
    // If the previous walk has moved the focus to the browser's own toolbar, the first Tab only returns from there.
    for (let tabs = 0; tabs < 2; tabs++) {
      await page.keyboard.press('Tab')
      if (await page.evaluate(() => document.activeElement?.matches('body, #walk') === false)) break
    }
    await walk(page, state)
  }
  expect.soft(await leftOut(page), `${state}: what Tab does not come by`).toEqual([])
}

/**
 * Presses Tab from the focused element on, until an element is reached for the second time or the focus leaves the
 * page.
 */
async function walk(
  page: Page,
  state: string,
  isInside: () => Promise<boolean> = () => Promise.resolve(true),
) {
  for (let stop = await lookAround(page); stop; stop = await lookAround(page)) {
    expect.soft(stop.objections, `${state}: at ${stop.what}`).toEqual([])
    expect.soft(await isInside(), `${state}: ${stop.what} is in it`).toBe(true)
    await page.keyboard.press('Tab')
  }
}

async function openPage(browser: Browser, role: Role | undefined, width: number) {
  const account = role === 'consultant' ? consultant : role ? accountOf(role) : undefined
  const context = await browser.newContext({
    viewport: { width, height: 900 },
    ...(account ? { storageState: (await openSession(account)).storageState } : {}),
  })
  return context.newPage()
}

for (const [user, { role, walked, overlays }] of Object.entries(rounds)) {
  for (const width of [1440, 390]) {
    test(`every screen of ${user} is reachable by keyboard at ${width} px`, async ({ browser }) => {
      const page = await openPage(browser, role, width)
      for (const name of walked) {
        await scene(name)(page)
        await walkAll(page, name)
        await page.unrouteAll({ behavior: 'ignoreErrors' })
      }
      await page.context().close()
    })
  }

  test(`every overlay of ${user} keeps the focus until Escape and returns it`, async ({ browser }) => {
    const page = await openPage(browser, role, 1440)
    for (const { title, over, openers, closes } of overlays) {
      await scene(over)(page)
      const buttons = openers.map((name) =>
        page.getByRole('button', { name, exact: typeof name === 'string' }).first(),
      )
      for (const opener of buttons) {
        await opener.focus()
        await page.keyboard.press('Enter')
      }
      const overlay = page.getByRole('dialog', { name: title, exact: typeof title === 'string' })
      await expect(overlay, over).toBeVisible()
      const isInside = () =>
        overlay.evaluate(
          (one) =>
            one.contains(document.activeElement) || Boolean(document.activeElement?.matches('.ant-drawer')),
        )
      await expect.poll(isInside, `${String(title)} takes the focus`).toBe(true)
      await walk(page, String(title), isInside)
      await page.keyboard.press('Escape')
      await expect(overlay).toBeHidden()
      await expect(buttons.at(closes ? 0 : -1) ?? overlay, `${String(title)} returns the focus`).toBeFocused()
    }
    await page.context().close()
  })
}
