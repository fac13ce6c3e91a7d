import { adminPlaces } from './admin-places'
import { deskFor, deskOfRole } from './desk'
import { accountOf, arrive, hire } from './people'
import { find, queueOf } from './queue'
import { expect, test } from './test'

test.describe.configure({ mode: 'serial' })

const about = /About \d{1,2}:\d{2} to \d{1,2}:\d{2}/

test('a visitor who waits has a range on every screen, and none without a consultant who could call', async ({
  browser,
}) => {
  const account = await hire('consultant')
  const consultant = await deskFor(account)
  const [reception, pa] = [await deskOfRole('reception'), await deskOfRole('pa')]
  await expect.poll((await deskOfRole('admin')).consultants).toContain(consultant.userId)
  const desk = await arrive(browser, accountOf('reception'))
  await find(desk.page, 'of the range') // the list of a long day draws only the rows in view
  const rowOf = (token: string) => queueOf(desk.page).getByRole('listitem').filter({ hasText: token })

  const first = await pa.approve(await reception.register({ name: 'Asha of the range' }), consultant.userId)
  await test.step('the consultant has not come yet', async () => {
    await expect(rowOf(first.token)).toContainText('No consultant at a desk')
  })

  await consultant.start(first)
  const second = await pa.approve(await reception.register({ name: 'Bilal of the range' }), consultant.userId)
  await test.step('reception sees the range on the row, the ticket and the slip', async () => {
    await expect(rowOf(second.token)).toContainText(about)
    await desk.page.getByRole('button', { name: `Show ${second.token} again` }).click()
    await expect(desk.page.locator('.issued-ticket')).toContainText(about)
    await expect(desk.page.locator('.token-slip')).toContainText(about)
  })
  await test.step('the PA sees it in the line, the consultant in the own queue', async () => {
    const line = await arrive(browser, accountOf('pa'), { at: '/dashboard/pa?tab=line' })
    await expect(
      line.page
        .getByRole('group', { name: 'Line', exact: true })
        .getByRole('listitem')
        .filter({ hasText: second.token }),
    ).toContainText(about)
    await line.context.close()
    const room = await arrive(browser, account)
    await expect(room.page.getByRole('region', { name: 'My Queue' })).toContainText(about)
    await room.context.close()
  })
  await test.step('the range goes with the call', async () => {
    await consultant.complete(first)
    await consultant.start(second)
    await expect(rowOf(second.token)).not.toContainText('About')
    await consultant.complete(second)
  })
  await desk.context.close()
})

test('the admin sees how the forecasts were kept', async ({ browser }) => {
  const admin = await arrive(browser, accountOf('admin'), { at: adminPlaces.accuracy })
  await expect(admin.page.getByText(/^Ranges of the last 30 days: /)).toBeVisible()
  await admin.context.close()
})
