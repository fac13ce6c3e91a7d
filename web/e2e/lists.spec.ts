import type { Page } from '@playwright/test'
import { deskFor, deskOfRole, welcome } from './desk'
import { provoke } from './faults'
import { accountOf, arrive, hire } from './people'
import { find } from './queue'
import { expect, test } from './test'

// Other tests run with reduced motion. Here the pages are animated, as users see them.
test.use({ contextOptions: { reducedMotion: 'no-preference' } })

type Answer = { since: string | null; visits: { id: string }[]; removed: string[]; reset: boolean }

const card = (page: Page, token: string) => page.getByRole('article', { name: new RegExp(`^${token} `) })

/** Records the answers to a page's requests for a list from now on. */
function answersTo(page: Page, path: string): Answer[] {
  const answers: Answer[] = []
  page.on('response', async (response) => {
    const url = new URL(response.url())
    if (url.pathname !== path || !response.ok()) return
    const answer = (await response.json().catch(() => undefined)) as Omit<Answer, 'since'> | undefined
    if (answer) answers.push({ ...answer, since: url.searchParams.get('since') })
  })
  return answers
}

/**
 * Waits until the page requests only changes of the list. The page requests the whole list as long as a visitor in its
 * first answer has no forecast.
 */
const isFollowed = (answers: Answer[]) => expect.poll(() => answers.at(-1)?.since).toBeTruthy()

const idsOf = (answer: Answer) => answer.visits.map(({ id }) => id)

/**
 * The answers that have only changes. Other answers have the whole list: while visitors wait, a page requests it every
 * half minute, because forecasts change without an event.
 */
const changesOf = (answers: Answer[]) => answers.filter(({ since, reset }) => since !== null && !reset)

/** The answers that contain the visit, or remove it. */
const answersAbout = (answers: Answer[], id: string) =>
  answers.filter((answer) => answer.removed.includes(id) || idsOf(answer).includes(id))

/** The answers that remove the visit, and the answers with the whole list that do not contain it. */
const answersWithout = (answers: Answer[], id: string) => {
  const changes = changesOf(answers)
  return answers.filter((answer) =>
    changes.includes(answer) ? answer.removed.includes(id) : !idsOf(answer).includes(id),
  )
}

test('a change is one visit of the list, at reception, at the PA and at the consultant', async ({
  browser,
}) => {
  const [unchanged] = await welcome(1)
  const account = await hire('consultant')
  const consultant = await deskFor(account)
  const [office, desk, room] = [
    await arrive(browser, accountOf('reception')),
    await arrive(browser, await hire('pa')),
    await arrive(browser, account),
  ]
  const today = answersTo(office.page, '/api/visits/today')
  const pending = answersTo(desk.page, '/api/visits/pending-approval')
  const own = answersTo(room.page, '/api/visits/today')

  await welcome(1)
  await isFollowed(today)
  await isFollowed(pending)
  const [visit] = await welcome(1)
  if (!visit) throw new Error('no visitor arrived')
  await test.step('a new visitor is shown', async () => {
    await expect(card(desk.page, visit.token)).toBeVisible()
    await expect(await find(office.page, visit.token)).toBeVisible()
    for (const answers of [today, pending]) {
      await expect.poll(() => answersAbout(answers, visit.id)).not.toEqual([])
      for (const answer of changesOf(answers)) expect(idsOf(answer)).not.toContain(unchanged?.id)
    }
  })
  await test.step('a decision takes the visitor from one list to the other', async () => {
    pending.length = 0
    await (await deskOfRole('pa')).approve(visit, consultant.userId)
    await expect(card(desk.page, visit.token)).toHaveCount(0)
    await expect(room.page.getByText(visit.token).first()).toBeVisible()
    await expect.poll(() => answersWithout(pending, visit.id)).not.toEqual([])
    await expect.poll(() => answersAbout(own, visit.id)).not.toEqual([])
    for (const answer of changesOf(own)) expect(answer.removed).toEqual([])
  })
  for (const { context } of [office, desk, room]) await context.close()
})

test('a page that was without a network is right after one answer', async ({ browser }) => {
  const { page, context } = await arrive(browser, accountOf('reception'))
  const answers = answersTo(page, '/api/visits/today')
  const pa = await deskOfRole('pa')
  const [denied] = await welcome(1)
  if (!denied) throw new Error('no visitor arrived')
  await expect(await find(page, denied.token)).toBeVisible()
  await page.getByRole('searchbox', { name: 'Search token, name or phone' }).fill('')
  await isFollowed(answers)

  provoke(page, /^failed GET /)
  await context.setOffline(true)
  await expect(page.getByText('Disconnected', { exact: true })).toBeVisible()
  const missed = await welcome(3)
  await pa.deny(denied)
  answers.length = 0
  await context.setOffline(false)

  await expect(page.getByText('Connected', { exact: true })).toBeVisible()
  await expect.poll(() => answers.length).toBeGreaterThan(0)
  const [first] = answers
  if (!first) throw new Error('the list was not requested')
  for (const { id } of [...missed, denied]) expect(idsOf(first)).toContain(id)
  for (const { token } of missed) await expect(await find(page, token)).toBeVisible()
  await page.getByRole('tab', { name: /^All / }).click()
  await expect(await find(page, denied.token)).toContainText('denied')
  await context.close()
})
