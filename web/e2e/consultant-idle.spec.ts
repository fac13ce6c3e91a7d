import { atEveryLook, violationsOf } from './accessibility'
import { callButton } from './consultant'
import { deskFor, deskOfRole, emptyLine } from './desk'
import { arrive, hire } from './people'
import { expect, test } from './test'

test("the first visitor's ticket fills the card of a free consultant, with the only filled button", async ({
  browser,
}) => {
  await emptyLine()
  const account = await hire('consultant')
  const [reception, pa, own] = [await deskOfRole('reception'), await deskOfRole('pa'), await deskFor(account)]
  const phone = `7${String(Date.now()).slice(-9)}`
  const earlier = await pa.approve(await reception.register({ name: 'Asha Kulkarni', phone }), own.userId)
  await own.start(earlier)
  await own.complete(earlier, 'Return filed')
  const [first] = [
    await reception.register({ name: 'Asha Kulkarni', phone, notes: 'Brought Form 16' }),
    await reception.register({ name: 'Ravi Shetty' }),
  ]
  await pa.approve(first, own.userId, 'Has a notice')
  await own.openDesk('4')

  const { page, context } = await arrive(browser, account, { theme: 'system' })
  const card = page.getByRole('region', { name: 'Current Session' })
  await expect(card).toContainText('No session in progress')
  await expect(card.getByRole('article', { name: `Token ${first.token}` })).toContainText('Asha Kulkarni')
  await expect(card).toContainText('From receptionBrought Form 16')
  await expect(card).toContainText('From the PAHas a notice')
  await expect(card).toContainText('Return filed')
  await expect(page.getByText('Busy', { exact: true })).toBeVisible()
  await expect(page.locator('.page-head').getByText('Desk 4 open')).toBeVisible()
  await atEveryLook(page, async (look, rules) => {
    await expect(card, look).toContainText('Return filed')
    expect(await page.locator('.ant-btn-primary:visible').allTextContents(), look).toEqual([
      `Call ${first.token} Asha Kulkarni F2`,
    ])
    expect(await violationsOf(page, rules), look).toEqual([])
  })

  await callButton(page, first.token).click()
  await expect(card).toContainText(/Called 0:\d\d ago to Desk 4/)
  await card.getByRole('button', { name: /^Start Session/ }).click()
  await expect(page.getByLabel('Session Notes')).toBeFocused()
  await expect(page.locator('.page-head').getByText('In session 0 min, Desk 4')).toBeVisible()
  await expect(page.getByText('Busy', { exact: true })).toHaveCount(0)
  await context.close()
})
