import { atEveryLook, expectAccessible } from './accessibility'
import { flashes } from './answers'
import { provoke } from './faults'
import { linkInMailTo } from './mail'
import { accountOf, arrive, asAdmin } from './people'
import { expect, test } from './test'

test('an invitation is sent again: the new link is mailed and copied, the one before does not work', async ({
  browser,
}) => {
  const stamp = Date.now() % 1_000_000
  const name = `Meena ${stamp}`
  const email = `meena-${stamp}@lekha.example`
  const body = { name, email, role: 'pa' }
  const { invite_url: first } = await asAdmin<{ invite_url: string }>('POST', '/api/users', body)
  const { page, context } = await arrive(browser, accountOf('admin'), {
    at: '/dashboard/admin?tab=staff',
    theme: 'system',
    permissions: ['clipboard-read', 'clipboard-write'],
  })
  const row = page.getByRole('row', { name })
  await expect(row).toContainText(/Invited, link ends \d+ \w+ \d{4}, \d+:\d\d [AP]M/)
  await atEveryLook(page, async (look) => {
    await expect(page.getByRole('button', { name: `Send again to ${name}` }), look).toBeVisible()
  })
  await expectAccessible(page, 'an invited member of staff')
  const made = flashes(page, 'A new link was made. The one before does not work any more.')
  await page.getByRole('button', { name: `Send again to ${name}` }).click()
  await made
  const second = await linkInMailTo(email, '/reset-password', first)
  const copied = flashes(page, 'Link copied')
  await page.getByRole('button', { name: `Copy link of ${name}` }).click()
  await copied
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(second)

  const theirs = await browser.newContext()
  const screen = await theirs.newPage()
  provoke(screen, /^400 POST \/api\/auth\/reset-password$/)
  const setPassword = async (link: string) => {
    await screen.goto(link)
    await screen.getByLabel('New password').fill('velvet-okra-17')
    await screen.getByRole('button', { name: 'Set Password' }).click()
  }
  await setPassword(first)
  await expect(screen.getByText('This link has expired')).toBeVisible()
  await setPassword(second)
  await expect(screen.getByText('Password set. Please sign in.')).toBeVisible()
  await expect(row).not.toContainText('Invited')
  await theirs.close()
  await context.close()
})
