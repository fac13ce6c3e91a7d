import type { Page } from '@playwright/test'
import { atEveryLook } from './accessibility'
import { deskOfRole, welcome } from './desk'
import { accountOf, arrive, hire } from './people'
import { expect, test } from './test'

const tips = ['Register a visitor quickly', 'Alerts for your role arrive here', 'Light, dark or system']

// S2.layout.02, S2.layout.13-17
test('the bell counts unread notifications, the drawer lists them, and a button opens the full list', async ({
  browser,
}) => {
  const { page, context } = await arrive(browser, await hire('pa'))
  const bell = page.getByRole('button', { name: /^Notifications, / })
  const unread = async () => Number(/\d+/.exec((await bell.getAttribute('aria-label')) ?? '')?.[0])
  let isReloaded = false
  page.once('framenavigated', () => (isReloaded = true))
  const answered = page.waitForResponse(
    (answer) => isReloaded && answer.url().includes('/api/stream/notifications'),
  )
  await page.reload()
  // The page shows an alert only if its stream is open when the alert is sent.
  await expect(page.getByText('Connected', { exact: true })).toBeVisible()
  const earlier = (await (await answered).json()) as { notifications: unknown[] } // today's notifications to every PA
  const before = tips.length + earlier.notifications.length
  await expect.poll(unread).toBe(before)

  const came = await welcome(9)
  await expect.poll(unread).toBe(before + came.length)
  await expect(bell.locator('.bar-count')).toHaveAttribute('title', String(before + came.length))

  await bell.click()
  const drawer = page.getByRole('dialog', { name: 'Notifications', exact: true })
  const newest = came.at(-1)
  const entries = drawer.getByRole('listitem')
  await expect(entries.first()).toContainText(`Token ${newest?.token} - ${newest?.name}`)
  await expect(entries).toHaveCount(8 + tips.length)
  for (const [index, tip] of tips.entries()) await expect(entries.nth(8 + index)).toContainText(tip)

  await drawer.getByRole('button', { name: 'View All Notifications' }).click()
  const all = page.getByRole('dialog', { name: 'All Notifications' })
  await expect(drawer).toBeHidden()
  for (const { token } of came) await expect(all.getByText(`Token ${token} - `)).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(all).toBeHidden()
  await expect.poll(unread).toBe(0)

  await (await deskOfRole('admin')).notify('The printer has paper again', ['pa'])
  await expect.poll(unread).toBe(1)
  await page.reload()
  await expect.poll(unread).toBe(1)
  await context.close()
})

test('toasts cover neither the head of a page with its badges nor, on a desk, its tabs, in every look', async ({
  browser,
}) => {
  const admin = await deskOfRole('admin')
  for (const account of [
    await hire('reception'),
    await hire('pa'),
    await hire('consultant'),
    accountOf('admin'),
  ]) {
    const { page, context } = await arrive(browser, account, { theme: 'system' })
    await atEveryLook(page, async (look) => {
      const texts = [`Lift is out of order, ${look}`, `Lunch is at two, ${look}`]
      for (const text of texts) await admin.notify(text, [account.role])
      for (const text of texts) await expect(toasts(page).filter({ hasText: text })).toBeVisible()
      expect(await covered(page), `${account.role}, ${look}`).toEqual([])
    })
    await context.close()
  }
})

const toasts = (page: Page) => page.locator('.ant-message-notice')

/** The texts of the parts that a toast covers: parts of the head and, in a wide window, the tabs. */
const covered = (page: Page) =>
  page.locator('.bar, .bar button, [role="tab"]:visible, main h1').evaluateAll((parts) => {
    const boxes = [...document.querySelectorAll('.ant-message-notice')].map((toast) =>
      toast.getBoundingClientRect(),
    )
    const isBelow = (part: Element) => {
      const { left, right, top, bottom } = part.getBoundingClientRect()
      return boxes.some((box) => box.left < right && left < box.right && box.top < bottom && top < box.bottom)
    }
    const counts = (part: Element) => innerWidth > 900 || part.getAttribute('role') !== 'tab'
    return parts.filter((part) => counts(part) && isBelow(part)).map((part) => part.textContent)
  })
