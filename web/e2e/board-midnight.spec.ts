import { call, stub } from './board-stubs'
import { provoke } from './faults'
import { expect, test } from './test'

test('an undone call leaves the board, and at midnight the calls of the day do, also without the server', async ({
  page,
}) => {
  provoke(page, /^failed /)
  const evening = Date.parse('2026-11-27T23:40:00+05:30')
  const at = (seconds: number) => ({ at: new Date(evening + seconds * 1000).toISOString() })
  await page.clock.install({ time: evening })
  const office = await stub(page, {
    calls: [call(2, '3', at(-60)), call(1, '1', at(-300))],
    day: '2026-11-27',
  })
  await page.goto('/board')
  await page.clock.runFor(2_000)
  const earlier = page.locator('.board-earlier')
  await expect(page.locator('.call-token')).toHaveText('T-002')
  await expect(earlier.getByText('T-001')).toBeVisible()

  await test.step('the call is undone while the page shows it', async () => {
    office.calls = office.calls.slice(1)
    await page.clock.runFor(15_000)
    await expect(page.getByText('T-002')).toHaveCount(0)
    await page.screenshot({ path: test.info().outputPath('board-undone.png') })
    await page.reload()
    await page.clock.runFor(2_000)
    await expect(earlier.getByText('T-001')).toBeVisible()
    await expect(page.getByText('T-002')).toHaveCount(0)
  })
  await test.step('midnight passes while the server is away', async () => {
    office.away = true
    await page.clock.runFor(25 * 60_000)
    await expect(page.getByText('T-001')).toHaveCount(0)
    await expect(page.getByText(/Not live since .* Please ask at the desk\./)).toBeVisible()
    await page.screenshot({ path: test.info().outputPath('board-midnight.png') })
  })
  await test.step('the same number is called on the new day', async () => {
    Object.assign(office, { away: false, day: '2026-11-28', calls: [] })
    office.news.push(
      call(101, '2', { token: 'T-001', at: await page.evaluate(() => new Date().toISOString()) }),
    )
    await page.clock.runFor(15_000)
    await expect(page.locator('.call-token')).toHaveText('T-001')
    await expect(page.getByText('T-001')).toHaveCount(1)
  })
})
