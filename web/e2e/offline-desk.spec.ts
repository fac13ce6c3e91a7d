import {
  asAdmin,
  backOnline,
  band,
  closeDesk,
  newDesk,
  openDesk,
  register,
  rowOf,
  ticket,
  visitsToday,
} from './offline'
import { expect, test } from './test'

// Service workers, two browsers and their reloads on two shared cores.
test.describe.configure({ timeout: 120_000 })

test('a paired desk gives out its own tokens while the line is cut, and sends them afterwards', async ({
  browser,
}) => {
  const desk = await openDesk(browser, await newDesk('Front desk'))
  const { page, line, series } = desk
  const name = `Cut ${Date.now() % 1_000_000}`
  await register(page, `${name} online`)
  await expect(ticket(page)).toHaveText(/^T-\d+$/)

  line.cut()
  await register(page, `${name} one`)
  await expect(ticket(page)).toHaveText(`${series}-001`)
  await expect(band(page)).toContainText(`The server does not answer. Tokens of this desk are now ${series}-`)
  await expect(await rowOf(page, `${name} one`)).toContainText('Not sent yet')
  await expect(page.locator('.token-slip')).toContainText('This desk was offline.')
  await expect(page.locator('.token-slip svg')).toHaveCount(0)

  // From the second one on, the token is there at once.
  await register(page, `${name} two`)
  await expect(ticket(page)).toHaveText(`${series}-002`)

  // What cannot be done says so where it would be done.
  const online = await rowOf(page, `${name} online`)
  await expect(online.locator('.row-menu')).toBeDisabled()
  await expect(online.locator('.row-menu')).toHaveAttribute('title', 'Not while the server does not answer')

  // The page opens without the server, for the same person, with the list as it was.
  await page.reload()
  await expect(band(page)).toContainText(`${series}-`)
  await expect(await rowOf(page, `${name} two`)).toContainText('Not sent yet')
  await register(page, `${name} three`)
  await expect(ticket(page)).toHaveText(`${series}-003`)

  // No name and no phone can be read from what is stored.
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

  // The answers to a registration are lost: the visit is one, with two tokens.
  // A browser repeats a call by itself when a kept connection ends.
  line.loseAnswers('/api/visits', 20)
  await register(page, `${name} lost`)
  await expect(ticket(page)).toHaveText(`${series}-004`)
  line.loseAnswers('/api/visits', 0)
  await backOnline(desk)
  const lost = (await visitsToday()).filter((visit) => visit.name === `${name} lost`)
  expect(lost.map(({ token, tokenAlso }) => `${token.charAt(0)} ${tokenAlso}`)).toEqual([`T ${series}-004`])

  // A visitor leaves before the line is back.
  line.cut()
  await register(page, `${name} left`)
  const row = await rowOf(page, `${name} left`)
  await row.locator('.row-menu').click()
  await page.getByRole('menuitem').click()
  await backOnline(desk)
  await expect
    .poll(async () => (await visitsToday()).find((visit) => visit.name === `${name} left`)?.queue.stage)
    .toBe('left')
  await register(page, `${name} at last`)
  await expect(ticket(page)).toHaveText(/^T-\d+$/)

  // A desk that was removed gives out no tokens without the server.
  await asAdmin('PUT', `/api/devices/${desk.id}`, { revoked: true })
  await page.reload()
  await expect(band(page)).toContainText('This desk was removed')
  line.cut()
  await register(page, `${name} removed`)
  await expect(page.getByText(/gives out no tokens without network/).last()).toBeVisible()
  await expect(ticket(page)).toHaveCount(0)
  await closeDesk(desk)
})
