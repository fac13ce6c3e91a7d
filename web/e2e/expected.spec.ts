import { violationsOf } from './accessibility'
import { registered } from './answers'
import { api } from './api'
import { monday, saturday, sunday } from './appointment-days'
import { deskOfRole } from './desk'
import { looks } from './extent'
import { accountOf, arrive } from './people'
import { asOfToday, newPhone } from './appointment-requests'
import { expect, test } from './test'

for (const { width, theme, name: look } of looks) {
  test(`a visitor who is expected today is registered by the phone number at ${look}`, async ({
    browser,
  }) => {
    const { page, context } = await arrive(browser, accountOf('reception'), {
      theme,
      viewport: { width, height: 900 },
    })
    const [name, phone] = [`Leela ${Date.now() % 1_000_000}`, newPhone()]
    await asOfToday(page)
    await page.goto('/dashboard/receptionist')
    const requested = { name, phone, email: 'leela@example.com', service: 'GST Registration', message: '' }
    const answer = await page.request.post('/api/appointments', {
      data: { ...requested, preferredDate: monday, preferredTime: '09:00' },
    })
    expect(answer.status()).toBe(201)
    const expected = page.getByRole('region', { name: 'Expected today' })
    await expect(expected).toContainText(name)
    expect(await violationsOf(page)).toEqual([])

    await page.getByLabel('Phone Number').fill(phone)
    await expect(page.getByText(`${name} is expected today at 9:00 AM for GST Registration.`)).toBeVisible()
    await page.getByRole('button', { name: 'Use the request' }).click()
    await page.getByRole('button', { name: 'Create Token' }).click()
    await expect(page.getByText(registered)).toBeVisible()
    await expect(expected.getByText(name)).toHaveCount(0)
    await page.unrouteAll({ behavior: 'ignoreErrors' }) // A handler may still wait for the server.
    await context.close()
  })

  test(`the audit trail begins with visits, in sentences, at ${look}`, async ({ browser }) => {
    const visit = await (await deskOfRole('reception')).register({ name: `Asha ${Date.now() % 1_000_000}` })
    const { page, context } = await arrive(browser, accountOf('admin'), {
      at: '/dashboard/admin?tab=audit',
      theme,
      viewport: { width, height: 900 },
    })
    await expect(page.getByRole('button', { name: 'Visits', pressed: true })).toBeVisible()
    await expect.poll(async () => (await api(page).audit(visit.id)).audit_records.length).toBeGreaterThan(0)
    await page.getByRole('button', { name: 'Load Audit Trail' }).click()
    const records = page.getByRole('group', { name: 'Audit records' })
    await expect(records).toContainText(
      `${accountOf('reception').name} registered ${visit.token} of ${visit.name}`,
    )
    expect(await violationsOf(page)).toEqual([])
    await page.getByRole('button', { name: 'Sign-ins' }).click()
    await expect(records).toContainText('signed in')
    await expect(page).toHaveURL(/entity=session/)
    await context.close()
  })
}

test('a day on which the office is closed is refused before it is sent, with the reason', async ({
  page,
}) => {
  await page.goto('/')
  await page.getByLabel('Preferred Date').fill(sunday)
  await expect(page.getByText('The office is closed on Sunday. Please choose another day.')).toBeVisible()
  for (const time of await page.getByRole('radio').all()) await expect(time).toBeDisabled()
  await page.getByLabel('Preferred Date').fill(saturday)
  await expect(page.getByText('Open 9:00 AM to 5:00 PM on Saturday')).toBeVisible()
  await expect(page.getByRole('radio', { name: '16:00' })).toBeEnabled()
  await expect(page.getByRole('radio', { name: '17:00' })).toBeDisabled()
})
