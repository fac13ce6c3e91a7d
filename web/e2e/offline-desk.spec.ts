import { provoke } from './faults'
import {
  backOnline,
  band,
  closeDesk,
  form,
  madeDesk,
  newDesk,
  openDesk,
  openSettings,
  register,
  rowOf,
  sharedDesk,
  ticket,
  tokenFor,
  visitsToday,
} from './offline'
import { accountOf, asAdmin } from './people'
import { expect, test } from './test'

test(
  'a paired desk gives out its own tokens while its connection is cut, and sends them afterwards',
  { tag: '@main' },
  async ({ browser }) => {
    const desk = await openDesk(browser, await newDesk('Front desk'))
    const { page, proxy, series } = desk
    const name = `Cut ${Date.now() % 1_000_000}`
    await register(page, `${name} online`)
    await expect(ticket(page)).toHaveText(/^T-\d+$/)

    proxy.cut()
    await register(page, `${name} one`)
    await expect(ticket(page)).toHaveText(`${series}-001`)
    await expect(band(page)).toContainText(
      `The server does not answer. Tokens of this desk are now ${series}-`,
    )
    await expect(await rowOf(page, `${name} one`)).toContainText('Not sent yet')
    await expect(page.locator('.token-slip')).toContainText('This desk was offline.')
    await expect(page.locator('.token-slip svg')).toHaveCount(0)

    // From the second visitor on, the token appears at once.
    await register(page, `${name} two`)
    await expect(ticket(page)).toHaveText(`${series}-002`)

    // A control that cannot be used without the server says so in its title.
    const online = await rowOf(page, `${name} online`)
    await expect(online.locator('.row-menu')).toBeDisabled()
    await expect(online.locator('.row-menu')).toHaveAttribute('title', 'Not while the server does not answer')

    // Without the server, the page opens for the same person and has the same list.
    await page.reload()
    await expect(band(page)).toContainText(`${series}-`)
    await expect(await rowOf(page, `${name} two`)).toContainText('Not sent yet')
    await register(page, `${name} three`)
    await expect(ticket(page)).toHaveText(`${series}-003`)

    // The data stored in the browser have no readable name or phone number.
    const stored = await page.evaluate(async () => {
      const database = await new Promise<IDBDatabase>((opened) => {
        const asked = indexedDB.open('baari-desk')
        asked.onsuccess = () => opened(asked.result)
      })
      const rows = await new Promise<unknown[]>((read) => {
        const asked = database.transaction('outbox').objectStore('outbox').getAll()
        asked.onsuccess = () => read(asked.result as unknown[])
      })
      return rows.map((row) => {
        const { body } = row as { body: ArrayBuffer }
        return new TextDecoder('latin1').decode(body)
      })
    })
    expect(stored).toHaveLength(3)
    expect(stored.join()).not.toMatch(/9845012345|Cut/)

    await backOnline(desk)
    const sent = (await visitsToday()).filter((visit) => visit.name.startsWith(name))
    expect(
      sent.map(({ token, name: of }) => `${token.replace(/T-\d+/, 'T')} ${of.slice(name.length + 1)}`),
    ).toEqual(['T online', `${series}-001 one`, `${series}-002 two`, `${series}-003 three`])

    // The server has carried out a registration, but its answers are lost. There is one visit then, with two tokens. A
    // single lost answer is not enough: a browser itself repeats a request if its kept-alive connection ends.
    proxy.loseAnswers('/api/visits', 20)
    await register(page, `${name} lost`)
    await expect(ticket(page)).toHaveText(`${series}-004`)
    proxy.loseAnswers('/api/visits', 0)
    await backOnline(desk)
    const lost = (await visitsToday()).filter((visit) => visit.name === `${name} lost`)
    expect(lost.map(({ token, tokenAlso }) => `${token.charAt(0)} ${tokenAlso}`)).toEqual([`T ${series}-004`])

    // The visitor leaves while the desk has no connection.
    proxy.cut()
    await tokenFor(page, `${name} left`)
    const row = await rowOf(page, `${name} left`)
    await row.locator('.row-menu').click()
    await page.getByRole('menuitem', { name: 'Left' }).click()
    await backOnline(desk)
    await expect
      .poll(async () => (await visitsToday()).find((visit) => visit.name === `${name} left`)?.queue.stage)
      .toBe('left')
    await register(page, `${name} at last`)
    await expect(ticket(page)).toHaveText(/^T-\d+$/)

    // A desk that an administrator has removed issues no tokens without the server.
    await asAdmin('PUT', `/api/devices/${desk.id}`, { revoked: true })
    await page.reload()
    await expect(band(page)).toContainText('This desk was removed')
    proxy.cut()
    await register(page, `${name} removed`)
    await expect(page.getByText(/gives out no tokens without network/).last()).toBeVisible()
    await expect(ticket(page)).toHaveCount(0)
    await closeDesk(desk)
  },
)

test('a desk to which the server answers 500 sends its visits when the server answers again', async ({
  browser,
}) => {
  const desk = await openDesk(browser, await newDesk('Patient desk'))
  const { page, proxy } = desk
  const name = `Patient ${Date.now() % 1_000_000}`
  proxy.cut()
  const tokens = [await tokenFor(page, `${name} one`), await tokenFor(page, `${name} two`)]
  let failed = 0
  provoke(page, /^500 POST \/api\/visits\/offline$/)
  await page.route('**/api/visits/offline', async (route) => {
    if (failed === 3) return route.fallback()
    failed += 1
    return route.fulfill({ status: 500, json: { error: 'Something went wrong.', code: 'internal' } })
  })
  await backOnline(desk)
  expect(failed).toBe(3)
  const sent = (await visitsToday()).filter((visit) => visit.name.startsWith(name))
  expect(sent.map(({ token }) => token)).toEqual(tokens)

  // The desk is online again, although the page was not loaded again.
  await register(page, `${name} at last`)
  await expect(ticket(page)).toHaveText(/^T-\d+$/)
  await closeDesk(desk)
})

test('an admin prints and deletes what a removed desk cannot send; only then another desk is paired there', async ({
  browser,
}) => {
  const desk = await openDesk(browser, await newDesk('Old desk'), Promise.resolve(accountOf('admin')))
  const { page, proxy, series } = desk
  const name = `Removed ${Date.now() % 1_000_000}`
  proxy.cut()
  await register(page, name)
  await expect(ticket(page)).toHaveText(`${series}-001`)
  await asAdmin('PUT', `/api/devices/${desk.id}`, { revoked: true })
  proxy.mend()
  await expect(band(page)).toContainText('This desk was removed')

  const next = await madeDesk('Next desk')
  const pairHere = async () => {
    await openSettings(page)
    await page.getByLabel('Pairing code').fill(next.pairing_code)
    await page.getByRole('button', { name: 'Pair this desk' }).click()
  }
  await pairHere()
  await expect(
    page.getByText('Visitors of the desk that was here are not sent.', { exact: false }),
  ).toBeVisible()
  await page.goto('/dashboard/receptionist')

  await page.getByRole('button', { name: "Print the day's list" }).click()
  await expect(page.locator('html')).toHaveAttribute('data-printed', /\d/)
  await expect(page.locator('.day-sheet').getByRole('row', { name, includeHidden: true })).toContainText(
    `${series}-001`,
  )
  await page.getByRole('button', { name: 'Not sent yet: 1' }).click()
  const dialog = page.getByRole('dialog', { name: 'Noted at this desk, not sent yet' })
  await expect(dialog.getByRole('row', { name })).toContainText(`${series}-001`)
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await page
    .getByRole('dialog', { name: /^Delete 1 visitors/ })
    .getByRole('button', { name: 'Delete' })
    .click()
  await expect(dialog.getByRole('row', { name })).toHaveCount(0)
  expect((await visitsToday()).filter((visit) => visit.name === name)).toEqual([])

  await page.goto('/dashboard/receptionist')
  const loaded = page.waitForEvent('load')
  await pairHere()
  await loaded
  await expect(page.getByText('Connected', { exact: true })).toBeVisible()
  proxy.cut()
  await register(page, `${name} again`)
  await expect(ticket(page)).toHaveText(`${next.device.series}-001`)
  await backOnline(desk)
  await closeDesk(desk)
})

test('own tokens stand on top, take papers, and are on the printed list of the day', async ({ browser }) => {
  const desk = await openDesk(browser, await sharedDesk())
  const { page, proxy } = desk
  const name = `Seen ${Date.now() % 1_000_000}`
  await tokenFor(page, `${name} online`)
  proxy.cut()
  const token = await tokenFor(page, `${name} own`)
  const rows = page.getByRole('group', { name: 'Current Queue Status' }).getByRole('listitem')
  await expect(rows.first()).toContainText(`${name} own`)
  await expect(rows.first()).toContainText('Not sent yet')

  const row = await rowOf(page, `${name} own`)
  await row.locator('.row-menu').click()
  await page.getByRole('menuitem', { name: 'Papers' }).click()
  const papers = page.getByRole('dialog', { name: new RegExp(token) })
  await papers.getByRole('button', { name: 'Add a paper' }).click()
  await papers.getByPlaceholder('Paper').fill('Ration card')
  await papers.getByRole('button', { name: 'Save papers' }).click()
  await expect(papers).toHaveCount(0)

  // Without the server, earlier visits are not looked up, and the form says so.
  await form(page).getByLabel('Phone Number').fill('9845012345')
  await expect(page.getByText('Earlier visits are not looked up', { exact: false })).toBeVisible()

  await page.getByRole('button', { name: "Print the day's list" }).click()
  const sheet = page.locator('.day-sheet')
  await expect(sheet.getByText(`${name} online`)).toHaveCount(1)
  await expect(sheet.getByText(`${name} own`)).toHaveCount(1)
  await expect(sheet).not.toContainText('98450')
  await page.emulateMedia({ media: 'print' })
  await expect(sheet).toBeVisible()
  await expect(page.locator('.token-slip')).toBeHidden()
  await page.emulateMedia({ media: 'screen' })

  await backOnline(desk)
  const visit = (await visitsToday()).find((one) => one.token === token)
  const { documents } = await asAdmin<{ documents: { label: string; state: string }[] }>(
    'GET',
    `/api/visits/${visit?.id}/documents`,
  )
  expect(documents.map(({ label, state }) => `${label} ${state}`)).toContain('Ration card brought')
  await closeDesk(desk)
})
