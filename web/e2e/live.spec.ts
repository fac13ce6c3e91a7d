import type { Page } from '@playwright/test'
import { deskFor, deskOfRole, welcome } from './desk'
import { overBeforeShown, provoke } from './faults'
import { accountOf, arrive, hire, type Person, type Role } from './people'
import { expect, test } from './test'

// Other tests run with reduced motion. Here the pages are animated, as users see them.
test.use({ contextOptions: { reducedMotion: 'no-preference' } })

// S4.live.01
test(
  'all tabs of a browser share one stream; another takes over when the first closes',
  { tag: '@main' },
  async ({ browser }) => {
    const first = await arrive(browser, await hire('pa'))
    const streams: string[] = []
    first.context.on('request', (request) => {
      if (new URL(request.url()).pathname === '/api/stream') streams.push(request.url())
    })
    const second = await first.context.newPage()
    await second.goto('/dashboard/pa')
    await expect(second.getByText('Connected', { exact: true })).toBeVisible()
    const [visit] = await welcome(1)
    for (const tab of [first.page, second]) {
      await expect(tab.getByRole('article', { name: new RegExp(`^${visit?.token} `) })).toBeVisible()
    }
    expect(streams).toEqual([])

    await first.page.close()
    const [next] = await welcome(1)
    await expect(second.getByRole('article', { name: new RegExp(`^${next?.token} `) })).toBeVisible()
    expect(streams).toHaveLength(1)
    await first.context.close()
  },
)

/** Records the toasts of a page: some are shown for only three seconds. */
async function keepToasts(page: Page) {
  await page.evaluate(() => {
    const shown: string[] = []
    new MutationObserver((changes) => {
      for (const { addedNodes } of changes) {
        for (const node of addedNodes) {
          const toast =
            node instanceof Element && node.querySelector('.ant-message-notice-content, .ant-message')
          if (toast || (node instanceof Element && node.closest('.ant-message'))) shown.push(node.textContent)
        }
      }
    }).observe(document.body, { childList: true, subtree: true })
    Object.assign(window, { shown })
  })
  return () => page.evaluate(() => (window as unknown as { shown: string[] }).shown.join('\n'))
}

// S6.notify.01-10, S8.live.01-05
test(
  'each change is shown to the roles that it concerns and to no other',
  { tag: '@main' },
  async ({ browser }) => {
    const own = await hire('consultant', 'CA Meera Joshi')
    const consultant = await deskFor(own)
    const pa = await deskOfRole('pa')
    const staff: Record<Role, Person> = {
      reception: await arrive(browser, accountOf('reception')),
      pa: await arrive(browser, accountOf('pa')),
      consultant: await arrive(browser, own),
      admin: await arrive(browser, accountOf('admin')),
    }
    provoke(staff.consultant.page, overBeforeShown)
    const roles = Object.keys(staff) as Role[]
    const toasts = Object.fromEntries(
      await Promise.all(roles.map(async (role) => [role, await keepToasts(staff[role].page)] as const)),
    )

    const [served, denied] = await welcome(2)
    if (!served || !denied) throw new Error('no visitor arrived')
    await pa.approve(served, consultant.userId)
    await consultant.start(served)
    await consultant.complete(served)
    await pa.deny(denied)
    await (await deskOfRole('admin')).notify('That is all for now')

    const alerts: [string, Role[]][] = [
      [`Token ${served.token} - ${served.name} (`, ['pa', 'admin']],
      [`Token ${served.token} approved for CA Meera Joshi`, ['reception', 'consultant']],
      [`Token ${served.token} session has started`, ['reception', 'pa', 'admin']],
      [`Token ${served.token} session completed`, ['reception', 'pa', 'admin']],
      [`Token ${denied.token} was denied`, ['reception']],
    ]
    for (const role of roles) {
      // The notification comes from another service than the changes, so it may be shown before them.
      const own = alerts.filter(([, audience]) => audience.includes(role)).map(([words]) => words)
      for (const words of [...own, 'That is all for now'])
        await expect.poll(() => toasts[role]?.(), `${role}: ${words}`).toContain(words)
      const shown = (await toasts[role]?.()) ?? ''
      for (const [words, audience] of alerts) {
        expect(shown.includes(words), `${role}: ${words}`).toBe(audience.includes(role))
      }
      await staff[role].context.close()
    }
  },
)
