import type { Page } from '@playwright/test'
import { busyConsultant, busyOffice, deskFor, deskOfRole, welcome } from './desk'
import { isNight } from './extent'
import { accountOf, arrive, hire, type Account } from './people'
import { expect, test } from './test'

// As users see it, with motion.
test.use({ contextOptions: { reducedMotion: 'no-preference' } })

// Four browsers on two shared cores.

type Shift = PerformanceEntry & {
  value: number
  hadRecentInput: boolean
  sources: { node: Node | null; previousRect: DOMRect; currentRect: DOMRect }[]
}

/** From now on records every layout shift without user input, with its element. The fonts of the page are there. */
async function watchShifts(page: Page) {
  await page.evaluate(async () => {
    await document.fonts.ready
    const jumps: string[] = []
    const nameOf = (node: Node | null) =>
      node instanceof Element ? `${node.tagName}.${node.className} ${node.textContent}` : node?.textContent
    new PerformanceObserver((list) => {
      for (const { hadRecentInput, value, sources } of list.getEntries() as Shift[]) {
        // Text of a list that grows may settle by a few pixels: less than a ten-thousandth of the window is no jump.
        if (hadRecentInput || value < 0.0001) continue
        for (const { node, previousRect: from, currentRect: to } of sources)
          jumps.push(`${value.toFixed(4)}: ${from.x},${from.y} to ${to.x},${to.y}: ${nameOf(node)}`)
      }
    }).observe({ type: 'layout-shift' })
    Object.assign(window, { jumps })
  })
  return () => page.evaluate(() => (window as unknown as { jumps: string[] }).jumps)
}

const screens = [
  { role: 'reception', at: '/dashboard/receptionist' },
  { role: 'pa', at: '/dashboard/pa' },
  { role: 'consultant', at: '/dashboard/consultant' },
  { role: 'admin', at: '/dashboard/admin' },
  { role: 'admin', at: '/dashboard/admin?tab=visitors' },
] as const

for (const width of isNight ? [1440, 390] : [1440]) {
  test(`there are no layout shifts and no failed calls while colleagues work, ${width} px`, async ({
    browser,
  }) => {
    const own = await hire('consultant')
    await busyConsultant(own, 3)
    await busyOffice(20)
    const viewport = { width, height: 900 }
    const open = async (account: Account, at: string) => {
      const person = await arrive(browser, account, { at, viewport })
      await expect(person.page.locator('.skeleton')).toHaveCount(0)
      return { at, ...person, jumps: await watchShifts(person.page) }
    }
    const people = []
    for (const { role, at } of screens)
      people.push(await open(role === 'consultant' ? own : accountOf(role), at))

    const pa = await deskOfRole('pa')
    const consultant = await deskFor(own)
    const [served, denied, waiting] = await welcome(3)
    if (!served || !denied || !waiting) throw new Error('no visitor arrived')
    await pa.approve(served, consultant.userId)
    await pa.deny(denied)
    await pa.approve(waiting, consultant.userId)
    await (await deskOfRole('admin')).notify('That is all for now')

    await Promise.all(
      people.map(({ at, page }) => expect(page.getByText('That is all for now').first(), at).toBeVisible()),
    )
    for (const { at, page, jumps, context } of people) {
      // All changes are on the screen, and the toasts have gone.
      await expect(page.locator('.ant-message-notice')).toHaveCount(0)
      expect.soft(await jumps(), at).toEqual([])
      await context.close()
    }
  })
}
