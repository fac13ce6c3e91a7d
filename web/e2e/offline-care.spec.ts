import { chromium, type Page } from '@playwright/test'
import { openProxy, otherAssets } from './cut-proxy'
import { isNight, onlyAtNight } from './extent'
import { provoke } from './faults'
import {
  backOnline,
  band,
  closeDesk,
  faultsOfCut,
  form,
  numberOf,
  openDesk,
  openSettings,
  register,
  sharedDesk,
  ticket,
  tokenFor,
  untilSent,
  visitsOf,
} from './offline'
import { hire, openSession, signIn } from './people'
import { expect, test } from './test'

// These tests cover what a desk without network must survive, besides the loss of the connection itself.

const newName = (of: string) => `${of} ${Date.now() % 1_000_000}`

/** The folders from which the page has loaded scripts and styles. */
const foldersOf = (page: Page) =>
  page.evaluate(() => {
    const names = performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname)
    const folders = names.filter((name) => /\.(js|css)$/.test(name) && name.startsWith('/assets'))
    return [...new Set(folders.map((name) => name.slice(0, name.indexOf('/', 1) + 1)))]
  })

const isOtherBuild = (page: Page) => page.locator('meta[name="build"]').count()

test('a new build waits until it is loaded by hand, and files of two builds never meet', async ({
  browser,
}) => {
  // The test is slow: the page notices each of three cuts after nine seconds, and is reloaded four times.
  const desk = await openDesk(browser, await sharedDesk())
  const { page, proxy } = desk
  const name = newName('Build')
  const own = () =>
    page.evaluate(async () => {
      await (await navigator.serviceWorker.getRegistration('/dashboard'))?.update()
    })

  // The server gets another build while the connection is lost. The page continues with its own files.
  proxy.cut()
  await tokenFor(page, `${name} one`)
  proxy.swapBuild()
  await page.reload()
  await tokenFor(page, `${name} two`)
  await backOnline(desk)
  expect(await isOtherBuild(page)).toBe(0)
  // This part of the page was not loaded yet, and the server no longer has its file.
  await page.getByRole('tab', { name: /^Appointments/ }).click()
  await expect(page.getByRole('button', { name: 'Day after' })).toBeVisible()
  await page.getByRole('tab', { name: 'Waiting' }).click()

  // The page offers the new build only while no visit is unsent. After a reload it still runs the old build.
  await own()
  const load = page.getByRole('button', { name: 'Load it' })
  await expect(load).toBeVisible()
  await expect(band(page)).toContainText('There is a new version of this page.')
  await page.reload()
  await expect(load).toBeVisible()
  expect(await isOtherBuild(page)).toBe(0)
  expect(await foldersOf(page)).toEqual(['/assets/'])
  proxy.cut()
  await tokenFor(page, `${name} three`)
  await expect(load).toHaveCount(0)
  await backOnline(desk)

  await load.click()
  await expect.poll(() => isOtherBuild(page)).toBe(1)
  await expect(page.getByText('Connected', { exact: true })).toBeVisible()
  proxy.cut()
  await tokenFor(page, `${name} four`)
  await page.reload()
  await tokenFor(page, `${name} five`)
  expect(await foldersOf(page)).toEqual([otherAssets])
  await backOnline(desk)
  const sent = await visitsOf(name)
  expect(sent.map((visit) => visit.name.slice(name.length + 1))).toEqual([
    'one',
    'two',
    'three',
    'four',
    'five',
  ])
  await closeDesk(desk)
})

test('a number that the disk has no room for is not given out', async ({ browser }) => {
  onlyAtNight()
  const desk = await openDesk(browser, await sharedDesk())
  const { page, proxy, context } = desk
  const name = newName('Full')
  proxy.cut()
  const first = await tokenFor(page, `${name} one`)
  const cdp = await context.newCDPSession(page)
  const quota = (quotaSize?: number) =>
    cdp.send('Storage.overrideQuotaForOrigin', {
      origin: proxy.url,
      ...(quotaSize === undefined ? {} : { quotaSize }),
    })
  await quota(1)
  await page.keyboard.press('Escape')
  // Chromium caches the free space of the disk for half a minute.
  await page.waitForTimeout(31_000)
  await register(page, `${name} two`)
  await expect(band(page)).toContainText('could not be stored on this computer, so it was not given out')
  await expect(ticket(page)).toHaveCount(0)
  await expect(form(page).getByLabel('Visitor Name')).toHaveValue(`${name} two`)

  // When there is room again, the same visitor gets the same number.
  await quota()
  await page.keyboard.press('Control+Enter')
  await expect(ticket(page)).toHaveText(new RegExp(`-0*${numberOf(first) + 1}$`))
  await expect(band(page)).not.toContainText('could not be stored')
  await backOnline(desk)
  expect((await visitsOf(name)).map(({ token }) => numberOf(token))).toEqual([
    numberOf(first),
    numberOf(first) + 1,
  ])
  await closeDesk(desk)
})

/** The stored difference, in hours, between the server's clock and the computer's clock. */
const keptOffset = async () => {
  const database = await new Promise<IDBDatabase>((opened) => {
    const asked = indexedDB.open('baari-desk')
    asked.onsuccess = () => opened(asked.result)
  })
  const identity = await new Promise<{ offset: number } | undefined>((read) => {
    const asked = database.transaction('keys').objectStore('keys').get('identity')
    asked.onsuccess = () => read(asked.result as { offset: number } | undefined)
  })
  database.close()
  return (identity?.offset ?? NaN) / 3_600_000
}

test('a computer whose clock is two hours wrong notes the right times', async ({ browser }) => {
  for (const hours of isNight ? [-2, 2] : [2]) {
    const desk = await openDesk(browser, await sharedDesk())
    const { page, proxy, context } = desk
    await context.clock.install({ time: Date.now() + hours * 3_600_000 })
    const name = newName(`Clock ${hours}`)
    await page.reload()
    await expect.poll(() => page.evaluate(keptOffset)).toBeCloseTo(-hours, 1)
    proxy.cut()
    // Without the server, the page opens for the same person and shows the right time.
    await page.reload()
    await expect(band(page)).toContainText('The server does not answer')
    const before = Date.now()
    await tokenFor(page, `${name} one`)
    const time = new Intl.DateTimeFormat('en-IN', {
      timeZone: 'Asia/Kolkata',
      hour: 'numeric',
      minute: '2-digit',
    })
    // The installed clock stands still while the page loads, so it may be up to 30 s slow.
    const loading = 30_000
    const minutes = [before - loading, before, Date.now() + 2_000].map((at) => time.format(at).toUpperCase())
    const [shown] = (await page.locator('.token-slip-at').textContent())?.match(/\d+:\d\d [AP]M/i) ?? []
    expect(minutes).toContain(shown?.toUpperCase())
    await backOnline(desk)
    const [visit] = await visitsOf(name)
    const arrived = Date.parse(visit?.offline?.arrivedAt ?? '')
    expect(arrived).toBeGreaterThan(before - loading)
    expect(arrived).toBeLessThan(Date.now() + 2_000)
    await closeDesk(desk)
  }
})

test('two windows of a desk are in one mode, and give out one series', async ({ browser }) => {
  const desk = await openDesk(browser, await sharedDesk())
  const { page, proxy, context } = desk
  const other = await context.newPage()
  await other.goto('/dashboard/receptionist')
  await expect(other.getByText('Connected', { exact: true })).toBeVisible()
  const name = newName('Windows')
  proxy.cut()
  const tokens = [await tokenFor(page, `${name} 1`)]
  await expect(band(other)).toContainText('The server does not answer')
  for (let round = 2; round <= 7; round++)
    tokens.push(await tokenFor(round % 2 === 0 ? other : page, `${name} ${round}`))
  // Both at once.
  const both = await Promise.all([tokenFor(page, `${name} 8`), tokenFor(other, `${name} 9`)])
  const numbers = [...tokens, ...both.toSorted()].map(numberOf)
  expect(numbers).toEqual(numbers.map((_, index) => (numbers[0] ?? 0) + index))

  proxy.mend()
  await Promise.all([untilSent(page), untilSent(other)])
  const sent = await visitsOf(name)
  // Of the two visitors of the same moment, either may be first in the list, so the numbers are sorted.
  expect(sent.map(({ token }) => numberOf(token)).toSorted((one, other) => one - other)).toEqual(numbers)
  expect(await tokenFor(other, `${name} online`)).toMatch(/^T-/)
  await closeDesk(desk)
})

test('a sign-out asks while something is not sent; the next person sends it', async ({ browser }) => {
  const desk = await openDesk(browser, await sharedDesk())
  const { page, proxy, account } = desk
  const name = newName('Leaving')
  proxy.cut()
  const token = await tokenFor(page, `${name} one`)
  const signOut = async () => {
    const button = page.getByRole('button', { name: 'Sign Out' })
    if (!(await button.isVisible())) await page.locator('.bar-person').click()
    await button.click()
  }
  const question = page.getByRole('dialog', { name: /1 visitors of this desk are not sent yet/ })
  await signOut()
  await expect(question).toBeVisible()
  await question.getByRole('button', { name: 'Stay signed in' }).click()
  await expect(question).toHaveCount(0)

  // A sign-out needs the server. Without it, the page shows an error and stays open.
  await signOut()
  await question.getByRole('button', { name: 'Sign Out' }).click()
  await expect(page.getByText('Failed to sign out')).toBeVisible()
  await page.reload()
  await expect(band(page)).toContainText('Not sent yet: 1')

  proxy.mend()
  proxy.loseAnswers('/api/visits/offline', 1_000)
  await signOut()
  await question.getByRole('button', { name: 'Sign Out' }).click()
  await page.waitForURL((url) => url.pathname === '/')
  // The visits that are not sent are kept in the browser, but the lists are deleted.
  const kept = await page.evaluate(async () => {
    const database = await new Promise<IDBDatabase>((opened) => {
      const asked = indexedDB.open('baari-desk')
      asked.onsuccess = () => opened(asked.result)
    })
    const count = (store: string) =>
      new Promise<number>((counted) => {
        const asked = database.transaction(store).objectStore(store).count()
        asked.onsuccess = () => counted(asked.result)
      })
    return [await count('outbox'), await count('lists')]
  })
  expect(kept).toEqual([1, 0])

  proxy.loseAnswers('/api/visits/offline', 0)
  const next = await hire('reception')
  await signIn(page, next)
  await expect(page.getByText('Connected', { exact: true })).toBeVisible()
  await expect.poll(async () => (await visitsOf(name)).map((visit) => visit.token)).toEqual([token])
  await untilSent(page)
  expect(account.email).not.toBe(next.email)
  await closeDesk(desk)
})

test('without an encrypted connection the settings say why a desk cannot be paired', async () => {
  const proxy = await openProxy()
  const { port } = new URL(proxy.url)
  const account = await hire('reception')
  const { storageState } = await openSession(account)
  const browser = await chromium.launch({
    executablePath: process.env.BAARI_CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--host-resolver-rules=MAP office.test 127.0.0.1'],
  })
  const context = await browser.newContext({ baseURL: `http://office.test:${port}` })
  if (typeof storageState !== 'object') throw new Error('a session has a stored state')
  await context.addCookies(storageState.cookies.map((cookie) => ({ ...cookie, domain: 'office.test' })))
  const page = await context.newPage()
  provoke(page, ...faultsOfCut)
  await page.goto('/dashboard/receptionist')
  expect(await page.evaluate(() => isSecureContext)).toBe(false)
  await openSettings(page)
  await expect(page.getByRole('heading', { name: 'This desk without network' })).toBeVisible()
  await expect(page.getByText(/without an encrypted connection the browser keeps no/)).toBeVisible()
  await expect(page.getByLabel('Pairing code')).toHaveCount(0)
  await browser.close()
  await proxy.close()
})

test('a paired desk can be installed', async ({ browser }) => {
  const desk = await openDesk(browser, await sharedDesk())
  const { page, context } = desk
  const cdp = await context.newCDPSession(page)
  const manifest = await cdp.send('Page.getAppManifest')
  expect(manifest.errors).toEqual([])
  expect(new URL(manifest.url).pathname).toBe('/desk.webmanifest')
  const { installabilityErrors } = await cdp.send('Page.getInstallabilityErrors')
  // The test's browser has no profile in which the page could be installed, so this error is expected.
  const errors = installabilityErrors.map(({ errorId }) => errorId).filter((id) => id !== 'in-incognito')
  expect(errors).toEqual([])
  await closeDesk(desk)
})
