import type { Locator, Page } from '@playwright/test'
import { busyConsultant, busyOffice, deskOfRole, welcome } from './desk'
import { accountOf, arrive, hire } from './people'
import { expect, test } from './test'

/** The name of the colour of an element's text or of its background, whichever is more saturated. */
async function colourOf(badge: Locator): Promise<string> {
  const [text, ground] = await badge.evaluate((element) => {
    const { color, backgroundColor } = getComputedStyle(element)
    return [color, backgroundColor]
  })
  const [strong] = [text, ground].map(hueAndChroma).sort((one, other) => other.chroma - one.chroma)
  if (!strong || strong.chroma < 0.1) return 'gray'
  const { hue } = strong
  if (hue < 20 || hue > 340) return 'red'
  if (hue > 40 && hue < 65) return 'yellow'
  if (hue > 75 && hue < 140) return 'green'
  return hue > 150 && hue < 175 ? 'emerald' : `hue ${hue}`
}

function hueAndChroma(colour = ''): { hue: number; chroma: number } {
  const [red = 0, green = 0, blue = 0] = (colour.match(/[\d.]+/g) ?? []).map((part) => Number(part) / 255)
  const most = Math.max(red, green, blue)
  const chroma = most - Math.min(red, green, blue)
  if (chroma === 0) return { hue: 0, chroma }
  const sextant =
    most === red
      ? (green - blue) / chroma + 6
      : most === green
        ? (blue - red) / chroma + 2
        : (red - green) / chroma + 4
  return { hue: (sextant * 60) % 360, chroma }
}

// S4.badge.01-05
test('each status has its colour in both themes', async ({ browser }) => {
  const consultant = await hire('consultant')
  await busyConsultant(consultant, 1)
  const [, turnedAway] = await welcome(2)
  if (turnedAway) await (await deskOfRole('pa')).deny(turnedAway)
  const at = '/dashboard/admin?tab=visitors'
  const { page, context } = await arrive(browser, accountOf('admin'), { at, theme: 'system' })

  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await expect(page.locator('html')).toHaveAttribute('data-theme', colorScheme)
    for (const [status, colour] of [
      ['new', 'green'],
      ['approved', 'yellow'],
      ['in-session', 'emerald'],
      ['completed', 'gray'],
      ['denied', 'red'],
    ] as const) {
      const badge = page.locator(`[data-status="${status}"]`).first()
      await expect(badge).toHaveText(status)
      expect(await colourOf(badge), `${status}, ${colorScheme}`).toBe(colour)
    }
  }
  await context.close()
})

const list = (page: Page, name: string) => page.getByRole('group', { name, exact: true })

async function heightsOf(region: Locator) {
  return region.evaluate((element) => ({
    shown: element.getBoundingClientRect().height,
    content: element.scrollHeight,
  }))
}

async function expectScrolling(region: Locator, height: number) {
  await expect.poll(async () => (await heightsOf(region)).content).toBeGreaterThan(height)
  expect((await heightsOf(region)).shown).toBeCloseTo(height, 1) // the lines have fractional heights
  // A virtual list measures a row only when it draws it, so the end may move while the test scrolls to it.
  await expect(async () => {
    await region.evaluate((element) => {
      element.scrollIntoView({ block: 'end' }) // the list may be below the visible part of the page
      element.scrollTo(0, element.scrollHeight)
    })
    const last = region.getByRole('listitem').or(region.getByRole('article')).last()
    await expect(last).toBeInViewport({ timeout: 1_000 })
  }).toPass()
}

// S2.list.01-02
test('queue lists grow to 600 px and the pending list to 700 px, then they scroll', async ({ browser }) => {
  const consultant = await hire('consultant')
  await busyOffice()
  await busyConsultant(consultant, 11)
  const viewport = { width: 1440, height: 1200 } // A lower window would make the lists lower than these limits.
  const desk = await arrive(browser, consultant, { viewport })
  await expectScrolling(list(desk.page, 'My Queue'), 600)
  const completed = await heightsOf(list(desk.page, "Today's Completed Sessions"))
  expect(completed.shown).toBeLessThan(600)
  expect(completed.content).toBeLessThanOrEqual(Math.ceil(completed.shown))
  await desk.context.close()

  const admin = await arrive(browser, accountOf('admin'), { viewport })
  await admin.page.goto('/dashboard/receptionist')
  await expectScrolling(list(admin.page, 'Current Queue Status'), 600)
  await admin.page.goto('/dashboard/pa')
  await expectScrolling(list(admin.page, 'Pending Approvals'), 700)
  await admin.context.close()
})

// S2.list.03
test('the audit table is 500 px high, empty and full', async ({ browser }) => {
  await welcome(6)
  const { page, context } = await arrive(browser, accountOf('admin'), { at: '/dashboard/admin?tab=audit' })
  const records = list(page, 'Audit records')
  await expect(records).toContainText('No audit records found.')
  expect((await heightsOf(records)).shown).toBe(500)
  await page.getByRole('button', { name: 'Load Audit Trail' }).click()
  await expect.poll(async () => (await heightsOf(records)).content).toBeGreaterThan(500)
  expect((await heightsOf(records)).shown).toBe(500)
  await context.close()
})

test('dialogs appear at their size if the user prefers less motion', async ({ browser }) => {
  const { page, context } = await arrive(browser, accountOf('reception'))
  await page.evaluate(() => {
    const scales: number[] = []
    const look = () => {
      for (const dialog of document.querySelectorAll<HTMLElement>('.ant-modal'))
        if (dialog.offsetWidth > 0) scales.push(dialog.getBoundingClientRect().width / dialog.offsetWidth)
    }
    new MutationObserver(look).observe(document.body, { subtree: true, childList: true, attributes: true })
    Object.assign(window, { scales })
  })
  await page.locator('.bar-person').click()
  await page.getByRole('button', { name: 'Account Settings' }).click()
  await expect(page.getByText('This device', { exact: true })).toBeVisible()
  const scales = await page.evaluate(() => (window as unknown as { scales: number[] }).scales)
  expect(scales.length, 'sizes that were seen').toBeGreaterThan(0)
  expect(Math.min(...scales), 'the least scale of a dialog').toBeGreaterThan(0.99)
  await context.close()
})
