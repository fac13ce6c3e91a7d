import type { Page } from '@playwright/test'
import { deskOfRole, welcome } from './desk'
import { accountOf, arrive } from './people'
import { expect, test } from './test'

// Other tests run with reduced motion. Here the pages are animated, as users see them.
test.use({ contextOptions: { reducedMotion: 'no-preference' } })

/** Whether the times are asserted, which needs an otherwise idle machine (`baari verify --nightly`). */
const measured = process.env.BAARI_MEASURE === '1'
/** The factor by which the processor is slowed down, to simulate a ten-year-old desktop computer. */
const slowdown = 4
/** Upper limit of a good Interaction to Next Paint, in milliseconds (web.dev). */
const atOnce = 200

type Watch = { tasks: number[]; keys: number[] }

/** Records long tasks, and the time from each key press to the next paint. */
const watchTimes = (page: Page) =>
  page.evaluate(() => {
    const watch: Watch = { tasks: [], keys: [] }
    const note = (into: number[], options: PerformanceObserverInit & { durationThreshold?: number }) =>
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries())
          if (options.type === 'longtask' || entry.name === 'keydown') into.push(entry.duration)
      }).observe(options)
    note(watch.tasks, { type: 'longtask' })
    note(watch.keys, { type: 'event', durationThreshold: 16 })
    Object.assign(window, { watch })
  })

/** Returns the records since the last call. */
const timesOf = (page: Page) =>
  page.evaluate(async () => {
    // The browser reports a task to the observers only after the frame, so this waits.
    for (let frames = 0; frames < 3; frames++) await new Promise(requestAnimationFrame)
    await new Promise((done) => setTimeout(done, 100))
    const { watch } = window as unknown as { watch: Watch }
    return { tasks: watch.tasks.splice(0), keys: watch.keys.splice(0) }
  })

/**
 * Waits for a row of the list without an assertion of Playwright. When an assertion fails, Playwright describes the
 * whole page for its message, which would be the longest task.
 */
const untilListed = (page: Page, name: string, where: 'first' | 'last' | 'only') =>
  page.waitForFunction(
    ([name, where]) => {
      const rows = [...document.querySelectorAll('[role="group"][aria-label="Current Queue Status"] li')]
      const row = where === 'last' ? rows.at(-1) : rows[0]
      const { top = -1 } = row?.getBoundingClientRect() ?? {}
      return row?.textContent.includes(name) && top < innerHeight && (where !== 'only' || rows.length === 1)
    },
    [name, where] as const,
  )

const longest = (times: readonly number[]) => Math.round(Math.max(0, ...times))

// A trace takes screenshots of the page, which take longer than the page's own tasks.
test.use({ trace: 'off' })

// The test measures times, so it has a system of its own.
test('a thousand visitors of today stay smooth: searching, scrolling, and a live change @alone', async ({
  browser,
}) => {
  const [visit] = await welcome(1)
  const { page, context } = await arrive(browser, accountOf('reception'))
  const thousand = Array.from({ length: 1_000 }, (_, index) => ({
    ...visit,
    id: `00000000-0000-7000-8000-${String(index).padStart(12, '0')}`,
    token: `T-${String(index + 1).padStart(3, '0')}`,
    name: `Visitor number ${index + 1}`,
  }))
  let came: object[] = []
  await page.route('**/api/visits/today', (route) =>
    route.fulfill({ json: { visits: [...thousand, ...came] } }),
  )
  await page.reload()
  const queue = page.getByRole('group', { name: 'Current Queue Status' })
  const rows = queue.getByRole('listitem')
  await expect(rows.first()).toContainText('T-001')
  await expect(page.getByText('Connected', { exact: true })).toBeVisible()
  expect(await rows.count(), 'rows drawn before the list is scrolled').toBeLessThanOrEqual(120)

  const cdp = await context.newCDPSession(page)
  if (measured) await cdp.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
  await watchTimes(page)
  // This task of 150 ms runs in a timer of the page, because tasks of the debugger are not recorded.
  await page.evaluate(
    () =>
      new Promise<void>((done) =>
        setTimeout(() => {
          for (const end = performance.now() + 150; performance.now() < end;);
          done()
        }),
      ),
  )
  expect(longest((await timesOf(page)).tasks), 'the watch sees a task of 150 ms').toBeGreaterThanOrEqual(150)

  await page.keyboard.press('F8')
  await page.keyboard.type('number 517', { delay: 60 })
  await untilListed(page, 'Visitor number 517', 'only')
  for (let letter = 'number 517'.length; letter > 0; letter--) await page.keyboard.press('Backspace')
  await untilListed(page, 'T-001', 'first')
  const searching = await timesOf(page)

  await queue.focus()
  for (let pages = 0; pages < 20; pages++) await page.keyboard.press('PageDown')
  await page.keyboard.press('Home')
  await untilListed(page, 'T-001', 'first')
  await page.keyboard.press('End')
  await untilListed(page, 'T-1000', 'last')
  const scrolling = await timesOf(page)

  const arrived = await (await deskOfRole('reception')).register({ name: 'Arrived Meanwhile' })
  came = [{ ...visit, ...arrived }]
  await (await deskOfRole('pa')).deny(arrived)
  await untilListed(page, 'Arrived Meanwhile', 'last')
  const changing = await timesOf(page)

  await page.getByLabel('Visitor Name').focus()
  await page.keyboard.type('Asha Kulkarni', { delay: 60 })
  const typing = await timesOf(page)
  await expect(page.getByRole('region', { name: 'Current Queue Status' })).toContainText('1,001')
  expect(await rows.count(), 'rows drawn after all').toBeLessThanOrEqual(120)

  const all = { searching, scrolling, changing, typing }
  for (const [what, { tasks, keys }] of Object.entries(all))
    console.log(
      `1,000 visits, ${what}: longest task ${longest(tasks)} ms, slowest key ${longest(keys)} ms` +
        (measured ? `, processor ${slowdown} times slower` : ''),
    )
  if (measured) {
    expect(searching.keys.length, 'keys that were timed').toBeGreaterThan(0)
    for (const [what, { tasks, keys }] of Object.entries(all)) {
      expect.soft(longest(keys), `${what}: until a key was seen`).toBeLessThanOrEqual(atOnce)
      expect.soft(longest(tasks), `${what}: busy at a stretch`).toBeLessThanOrEqual(atOnce)
    }
  }
  await context.close()
})
