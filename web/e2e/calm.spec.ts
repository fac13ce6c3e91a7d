import type { Page } from '@playwright/test'
import { busyConsultant, busyOffice, deskFor, deskOfRole, welcome } from './desk'
import { isNight } from './extent'
import { answerNeeds, needsInHead, unansweredCall } from './needs'
import { accountOf, arrive, hire, type Account } from './people'
import { expect, test } from './test'

// Other tests run with reduced motion. Here the pages are animated, as users see them.
test.use({ contextOptions: { reducedMotion: 'no-preference' } })

type Shift = PerformanceEntry & {
  value: number
  hadRecentInput: boolean
  sources: { node: Node | null; previousRect: DOMRect; currentRect: DOMRect }[]
}

/**
 * From now on, records every layout shift without user input, with the element that moved. It loads the page's fonts
 * first.
 */
async function watchShifts(page: Page) {
  await page.evaluate(async () => {
    // The fonts of other scripts are loaded only when a name needs them, and move what stands beside the
    // name. Faces of the system that are not installed on this machine cannot be loaded.
    await Promise.allSettled([...document.fonts].map((face) => face.load()))
    await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))
    const jumps: string[] = []
    const nameOf = (node: Node | null) =>
      node instanceof Element ? `${node.tagName}.${node.className} ${node.textContent}` : node?.textContent
    new PerformanceObserver((list) => {
      for (const { hadRecentInput, value, sources } of list.getEntries() as Shift[]) {
        // Text of a growing list may move by a few pixels. A shift of less than a ten-thousandth of the window is not
        // counted.
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
  // This list is ordered by token: in the order of the line, an approval moves the row and the rows below it.
  { role: 'reception', at: '/dashboard/receptionist?order=token' },
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
      // When the toasts have gone, all changes are on the screen.
      await expect(page.locator('.ant-message-notice')).toHaveCount(0)
      expect.soft(await jumps(), at).toEqual([])
      await context.close()
    }
  })
}

for (const viewport of [
  { width: 1440, height: 900 },
  { width: 1280, height: 720 },
]) {
  test(`there are no layout shifts when what needs attention comes and goes, ${viewport.width} px`, async ({
    browser,
  }) => {
    const [visit] = await welcome(1)
    if (!visit) throw new Error('no visitor arrived')
    // Each change of this desk makes the pages read what needs attention.
    const own = await deskFor(await hire('consultant'))
    await expect.poll((await deskOfRole('admin')).consultants).toContain(own.userId)
    await own.openDesk('71')
    const people = []
    for (const role of ['reception', 'pa', 'admin'] as const) {
      const { page, context } = await arrive(browser, accountOf(role), { viewport })
      const change = await answerNeeds(page, [])
      await expect(page.getByText('Connected', { exact: true })).toBeVisible()
      await expect(page.locator('.skeleton')).toHaveCount(0)
      const call = needsInHead(page).getByText(`${visit.token} has not come`)
      people.push({ role, context, change, call, jumps: await watchShifts(page) })
    }
    for (const { change } of people) change([unansweredCall(visit)])
    await own.openDesk('72')
    for (const { role, call } of people) await expect(call, role).toBeInViewport({ ratio: 1 })
    for (const { change } of people) change([])
    await own.openDesk('73')
    for (const { role, call } of people) await expect(call, role).toHaveCount(0)
    for (const { role, context, jumps } of people) {
      expect.soft(await jumps(), role).toEqual([])
      await context.close()
    }
    await (await deskOfRole('pa')).deny(visit)
  })
}
