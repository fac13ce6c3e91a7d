import type { Page } from '@playwright/test'
import type { Language } from '@/locales/languages'
import { violationsOf } from './accessibility'
import { call, morning, stub } from './board-stubs'
import { deskOfRole } from './desk'
import { isNight } from './extent'
import { provoke } from './faults'
import { asAdmin } from './people'
import { expect, test } from './test'

test.use({
  viewport: { width: 1920, height: 1080 },
  launchOptions: {
    executablePath: process.env.BAARI_CHROMIUM ?? '/usr/bin/chromium',
    // The flag with which services/docs/voice.md starts a screen: sound needs no click.
    args: ['--no-sandbox', '--autoplay-policy=no-user-gesture-required'],
  },
})

const token = (page: Page) => page.locator('.call-token')
const band = (page: Page) => page.getByText(/Not live since .* Please ask at the desk\./)

type Added = { device: { id: string }; pairing_code: string }

test(
  'a screen is paired by its code, shows a call at once without a name, and is empty once removed',
  { tag: '@main' },
  async ({ page }) => {
    const { device, pairing_code: code } = await asAdmin<Added>('POST', '/api/devices', {
      kind: 'display',
      name: 'Waiting room',
    })
    provoke(page, /^404 POST \/api\/devices\/pair$/, /^401 /)
    await page.goto('/board')
    await page.getByLabel('Pairing code').fill('ZZZZ-ZZZZ')
    await page.getByRole('button', { name: 'Pair' }).click()
    await expect(page.getByText('This code is wrong, used, or older than ten minutes.')).toBeVisible()
    await page.getByLabel('Pairing code').fill(code.toLowerCase())
    await page.getByRole('button', { name: 'Pair' }).click()
    await expect(page.getByRole('heading', { name: 'Now serving' })).toBeVisible()

    const [reception, consultant] = await Promise.all([deskOfRole('reception'), deskOfRole('consultant')])
    const visit = await reception.register({ name: 'Asha Quietname' })
    const pa = await deskOfRole('pa')
    await pa.approve(visit, consultant.userId)
    // The consultant calls this visitor, because the next one may be a visitor of another test.
    await consultant.act(visit, 'call', { counter: '7' })
    const called = Date.now()
    await expect(token(page)).toHaveText(visit.token)
    test.info().annotations.push({ type: 'call to board', description: `${Date.now() - called} ms` })
    await expect(page.getByText('Please go to counter')).toBeVisible()
    await expect(page.locator('.call-counter')).toHaveText('7')
    await consultant.start(visit)
    await expect(page.locator('.board-serving').getByText(visit.token)).toBeVisible()
    expect(await page.locator('body').innerText()).not.toContain('Quietname')
    await consultant.complete(visit)

    await asAdmin('PUT', `/api/devices/${device.id}`, { revoked: true })
    await expect(page.getByText(visit.token)).toHaveCount(0)
    await expect(page.getByLabel('Pairing code')).toBeVisible()
    await expect(page.getByText('This screen was removed.', { exact: false })).toBeVisible()
    await expect(page.getByText(visit.token)).toHaveCount(0)
  },
)

const panels = [
  { name: '1920x1080', viewport: { width: 1920, height: 1080 } },
  { name: '1080x1920', viewport: { width: 1080, height: 1920 } },
]

for (const { name, viewport } of panels) {
  test(`the board at ${name}, in both themes: the token is min(22vh, 28vw), and axe finds nothing`, async ({
    page,
  }) => {
    await page.setViewportSize(viewport)
    await stub(page, morning())
    for (const theme of ['light', 'dark']) {
      await page.goto(`/board?theme=${theme}`)
      await expect(page.locator('html')).toHaveAttribute('data-theme', theme)
      await expect(token(page)).toHaveText('T-042')
      const size = await token(page).evaluate((node) => parseFloat(getComputedStyle(node).fontSize))
      expect(size).toBeCloseTo(Math.min(viewport.height * 0.22, viewport.width * 0.28), 0)
      const row = await page
        .locator('.board-token')
        .first()
        .evaluate((node) => parseFloat(getComputedStyle(node).fontSize))
      expect(row).toBeGreaterThanOrEqual(Math.min(viewport.width, viewport.height) / 12 - 1)
      await expect(page.locator('.board-serving .board-token').first()).toHaveText('T-041')
      await expect(page.locator('.next-token:visible')).toHaveText(['T-043', 'T-038', 'T-044', 'T-045'])
      await expect(page.getByRole('img', { name: 'Scan to ask for a token' })).toBeVisible()
      await page.evaluate(() => document.fonts.ready)
      await page.screenshot({ path: test.info().outputPath(`board-${name}-${theme}.png`) })
      expect(await violationsOf(page), theme).toEqual([])
    }
  })

  test(`the board at ${name} shows both tokens of a visitor`, async ({ page }) => {
    await page.setViewportSize(viewport)
    const shown = morning()
    const [current, ...others] = shown.calls
    await stub(page, {
      ...shown,
      calls: [
        { ...current, tokenAlso: 'A-107' },
        ...others.map((one) => ({ ...one, tokenAlso: 'B-108' })),
      ] as typeof shown.calls,
      serving: shown.serving.map((one) => ({ ...one, tokenAlso: 'B-109' })),
    })
    await page.goto('/board')
    await expect(page.locator('.call-also')).toHaveText('A-107')
    await expect(token(page)).toHaveText('T-042')
    await expect(page.locator('.board-serving .board-token').first()).toHaveText('T-041B-109')
    const outside = await page.locator('.board-token, .call-token, .call-also').evaluateAll((nodes) =>
      nodes
        .filter((node) => node.textContent !== '')
        .filter((node) => {
          const [own, parent] = [node, node.parentElement ?? node].map((of) => of.getBoundingClientRect())
          return node.scrollWidth > node.clientWidth + 1 || !own || !parent || own.bottom > parent.bottom + 1
        })
        .map((node) => node.textContent),
    )
    await page.screenshot({ path: test.info().outputPath(`board-two-${name}.png`) })
    expect(outside).toEqual([])
  })

  test(`no text is cut off at ${name} in any language`, async ({ page }) => {
    await page.setViewportSize(viewport)
    const office = await stub(page, morning())
    for (const language of ['en', 'hi', 'kn', 'ta', 'te', 'mr'] satisfies Language[]) {
      Object.assign(office, morning(), { languages: [language] }) // A call is the current one for two minutes.
      await page.goto('/board')
      await expect(page.locator('html')).toHaveAttribute('lang', `${language}-IN`)
      await expect(token(page)).toHaveText('T-042')
      await page.evaluate(() => document.fonts.ready)
      await page.screenshot({ path: test.info().outputPath(`board-${name}-${language}.png`) })
      expect(await cutOff(page), language).toEqual([])
    }
  })
}

/** The texts that extend beyond their element or beyond their part of the board. */
const cutOff = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('.board *')]
      .filter((node) => node.children.length === 0 && node.textContent !== '' && node.offsetParent !== null)
      .filter((node) => getComputedStyle(node).display !== 'inline')
      .filter((node) => {
        const part = node.closest(
          'header, footer, .call-paper, .call-blank, .board-list, .board-band, button',
        )
        const box = part?.getBoundingClientRect() ?? new DOMRect(0, 0, innerWidth, innerHeight)
        const range = document.createRange()
        range.selectNodeContents(node)
        const { left, top, right, bottom } = range.getBoundingClientRect()
        // The box of a line is taller than its letters, so a quarter of the box may be outside.
        const spare = (bottom - top) / 4
        const outside =
          left < box.left || top < box.top - spare || right > box.right || bottom > box.bottom + spare
        return outside || node.scrollWidth > node.clientWidth + 1
      })
      .map((node) => `${node.className}: ${node.textContent}`),
  )

for (const { name, viewport } of panels) {
  test(`an empty board at ${name} offers the code to ask for a token, and a cut line takes it away`, async ({
    page,
  }) => {
    provoke(page, /^failed /)
    await page.setViewportSize(viewport)
    await page.clock.install()
    const office = await stub(page, { checkIn: 'confirm', board: { next: 2, notice: 'Closed on Friday' } })
    office.next = ['T-001', 'T-002', 'T-003']
    await page.goto('/board')
    const code = page.getByRole('img', { name: 'Scan to ask for a token' })
    await page.clock.runFor(2_000)
    await expect(page.getByText('No token has been called yet')).toBeVisible()
    await expect(code).toHaveCount(1)
    const box = await code.boundingBox()
    expect(box?.width).toBeGreaterThan(300)
    await expect(page.locator('.next-token:visible')).toHaveText(['T-001', 'T-002'])
    await expect(page.getByText('Closed on Friday')).toBeVisible()
    await expect(page.getByText('called aloud')).toHaveCount(0)
    await page.evaluate(() => document.fonts.ready)
    await page.screenshot({ path: test.info().outputPath(`board-${name}-empty.png`) })
    expect(await cutOff(page)).toEqual([])
    office.away = true
    await page.clock.runFor(30_000)
    await expect(band(page)).toBeVisible()
    await expect(code).toBeHidden()
    await page.screenshot({ path: test.info().outputPath(`board-${name}-away.png`) })
  })
}

test('an office that wants neither next tokens nor tokens by phone shows none', async ({ page }) => {
  const office = await stub(page, { ...morning(), checkIn: 'off', board: { next: 0, notice: '' } })
  await page.goto('/board')
  await expect(token(page)).toHaveText('T-042')
  expect(office.next).toHaveLength(4)
  await expect(page.getByText('T-043')).toBeHidden()
  await expect(page.getByRole('img')).toHaveCount(0)
})

test('a counter with a long name is shown as a place, and a repeated call says so', async ({ page }) => {
  await stub(page, { calls: [call(1042, 'First floor', { callCount: 2 })] })
  await page.goto('/board')
  await expect(page.locator('.call-foot')).toHaveText('Please go toFirst floor')
  await expect(page.getByText('Called again')).toBeVisible()
  expect(await cutOff(page)).toEqual([])
})

test('without the stream the board says since when it is not live, and shows no old call as current', async ({
  page,
}) => {
  provoke(page, /^failed /)
  await page.clock.install()
  const office = await stub(page, { ...morning(), calls: [call(42, '3')] })
  await page.goto('/board')
  await expect(token(page)).toHaveText('T-042')
  await page.clock.runFor(5_000)
  await expect(band(page)).toBeHidden()
  office.away = true
  await page.clock.runFor(30_000)
  await expect(band(page)).toBeVisible()
  await expect(token(page)).toHaveText('T-042')
  await page.clock.runFor(120_000)
  await expect(token(page)).toHaveText('')
  await expect(page.locator('.board-earlier').getByText('T-042')).toBeVisible()
  office.away = false
  await page.clock.runFor(15_000)
  await expect(band(page)).toBeHidden()
})

// Ten calls a second: fifty calls in the nightly run, twelve in others.
test('calls at once are as many announcements in order, without an overlap', async ({ page }) => {
  const calls = isNight ? 50 : 12
  await page.addInitScript(() => {
    const heard: { token: string; from: number; until: number }[] = []
    const sounds: { from: number; until: number }[] = []
    Object.assign(window, { heard, sounds })
    document.addEventListener('board:announced', (event) =>
      heard.push((event as CustomEvent<(typeof heard)[0]>).detail),
    )
    // Records what the page really plays, with the times of the page's audio clock.
    const { start } = Object.getOwnPropertyDescriptors(AudioBufferSourceNode.prototype)
    AudioBufferSourceNode.prototype.start = function (at = 0) {
      sounds.push({ from: at, until: at + (this.buffer?.duration ?? 0) })
      start.value?.call(this, at)
    }
    // Makes the page's audio clock run eight times as fast, to shorten the test.
    const { currentTime } = Object.getOwnPropertyDescriptors(BaseAudioContext.prototype)
    Object.defineProperty(BaseAudioContext.prototype, 'currentTime', {
      get(this: BaseAudioContext) {
        return (currentTime.get?.call(this) ?? 0) * 8
      },
    })
  })
  const office = await stub(page, { volume: 20 })
  await page.goto('/board')
  await expect.poll(() => office.reports.at(-1)?.voice).toBe('on')
  const began = Date.now()
  for (let number = 1; number <= calls; number += 1) {
    office.news.push(call(number, String((number % 9) + 1)))
    await page.waitForTimeout(Math.max(0, began + number * 100 - Date.now()))
  }
  const heard = () =>
    page.evaluate(
      () => (window as unknown as { heard: { token: string; from: number; until: number }[] }).heard,
    )
  await expect.poll(async () => (await heard()).length, { timeout: 120_000, intervals: [1_000] }).toBe(calls)
  const all = await heard()
  expect(all.map((one) => one.token)).toEqual(
    Array.from({ length: calls }, (_, index) => call(index + 1, null).token),
  )
  expect(all.filter(({ from }, index) => from < (all[index - 1]?.until ?? -1))).toEqual([])
  const sounds = await page.evaluate(
    () => (window as unknown as { sounds: { from: number; until: number }[] }).sounds,
  )
  expect(sounds.length).toBeGreaterThanOrEqual(calls * 4)
  expect(sounds.filter(({ from }, index) => from < (sounds[index - 1]?.until ?? -1) - 0.001)).toEqual([])
})

for (const [reducedMotion, ticket, edge] of [
  ['no-preference', 'call-print, call-flash', 'none'],
  ['reduce', 'none', 'call-edge'],
] as const) {
  test(`a new call flashes, with the motion ${reducedMotion}`, async ({ page }) => {
    await page.emulateMedia({ reducedMotion })
    const office = await stub(page)
    await page.goto('/board')
    await expect(page.getByText('No token has been called yet')).toBeVisible()
    office.news.push(call(7, '3'))
    await expect(page.locator('.call-fresh .call-paper')).toBeVisible()
    const animations = await page.locator('.call-paper').evaluate((paper) => ({
      ticket: getComputedStyle(paper).animationName,
      edge: getComputedStyle(paper, '::before').animationName,
    }))
    expect(animations).toEqual({ ticket, edge })
  })
}

test('a browser that plays no sound by itself says so, and so does the report', async ({ page }) => {
  await page.addInitScript(() => {
    Object.defineProperty(AudioContext.prototype, 'state', { get: () => 'suspended' })
  })
  const office = await stub(page, { ...morning(), volume: 80 })
  await page.goto('/board')
  await expect(page.getByRole('button', { name: 'Press once to switch the voice on' })).toBeVisible()
  await expect.poll(() => office.reports.at(-1)?.voice).toBe('blocked')
})

// The nightly run has 24 hours with 2,000 calls.
test('a day of calls leaves the page as it was', async ({ page }) => {
  await page.clock.install()
  const office = await stub(page)
  await page.goto('/board')
  const session = await page.context().newCDPSession(page)
  const size = async () => {
    await session.send('HeapProfiler.collectGarbage')
    const { usedSize } = await session.send('Runtime.getHeapUsage')
    return { heap: usedSize, nodes: await page.locator('*').count() }
  }
  let number = 0
  const hours = async (count: number) => {
    for (let hour = 0; hour < count; hour += 1) {
      for (let each = 0; each < 84; each += 1) {
        number += 1
        office.news.push(
          call(number, String(number % 9), { at: await page.evaluate(() => new Date().toISOString()) }),
        )
      }
      office.calls = office.news.slice(-8).reverse()
      await expect(async () => {
        await page.clock.runFor(1_500)
        await expect(token(page)).toHaveText(call(number, null).token, { timeout: 100 })
      }).toPass()
      await page.clock.fastForward(3_600_000)
    }
  }
  await hours(4)
  const before = await size()
  await hours(isNight ? 20 : 6)
  const after = await size()
  test.info().annotations.push({ type: 'memory', description: JSON.stringify({ number, before, after }) })
  expect(after.nodes).toBe(before.nodes)
  // What is released asynchronously, such as the last response, is collected by a later collection.
  await expect.poll(async () => (await size()).heap - before.heap).toBeLessThan(500_000)
})

test.describe('with its service worker', () => {
  test.use({ serviceWorkers: 'allow' })

  test('a screen starts without the server, with its voice', async ({ page, context }) => {
    provoke(page, /^failed /, /^console /)
    const { pairing_code: code } = await asAdmin<Added>('POST', '/api/devices', {
      kind: 'display',
      name: 'Hall',
    })
    await page.goto('/board')
    await page.getByLabel('Pairing code').fill(code)
    await page.getByRole('button', { name: 'Pair' }).click()
    await expect(page.getByRole('heading', { name: 'Now serving' })).toBeVisible()
    const keeps = (address: string) =>
      page.evaluate(async (url) => (await caches.match(url, { ignoreSearch: true })) !== undefined, address)
    for (const address of ['/board', '/voice/en.json', '/voice/en.pack'])
      await expect.poll(() => keeps(address)).toBe(true)
    await context.setOffline(true)
    await page.reload()
    await expect(page.getByRole('heading', { name: 'Now serving' })).toBeVisible()
    await expect(band(page)).toBeVisible()
    const clips = await page.evaluate(async () => {
      const manifest = (await (await fetch('/voice/en.json')).json()) as { digest: string; clips: object }
      const pack = await (await fetch(`/voice/en.pack?${manifest.digest}`)).arrayBuffer()
      return { count: Object.keys(manifest.clips).length, size: pack.byteLength }
    })
    expect(clips.count).toBe(120)
    expect(clips.size).toBeGreaterThan(100_000)
  })
})
