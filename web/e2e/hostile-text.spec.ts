import { adminPlaces } from './admin-places'
import { monday } from './appointment-days'
import type { Browser, Page } from '@playwright/test'
import { deskFor, deskOfRole, type Visit } from './desk'
import { overBeforeShown, provoke } from './faults'
import { accountOf, arrive, baseURL, hire, openSession, type Account } from './people'
import { find } from './queue'
import { expect, test } from './test'

/** Texts that a browser would execute, load or follow if it took them for markup. */
const seeds = [
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(2)>',
  '"><svg onload=alert(3)>',
  "'-alert(4)-'",
  '<iframe srcdoc="<script>parent.alert(5)</script>"></iframe>',
  '</title></textarea><script>alert(6)</script>',
  'javascript:alert(7)',
  '{{constructor.constructor("alert(8)")()}}${alert(9)}',
  '<a href="javascript:alert(10)">x</a><style>*{display:none}</style>',
]

/** All of these texts in one, which is short enough for a note. */
const everything = seeds.join(' ')

type Watched = { page: Page; close: () => Promise<void> }

/** Opens a dashboard on which a violation of the content security policy is an error as well. */
async function watchDashboard(browser: Browser, account: Account): Promise<Watched> {
  const { page, context } = await arrive(browser, account)
  await page.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', (event) => {
      console.error(`the policy blocked ${event.violatedDirective} ${event.blockedURI}`)
    })
  })
  await page.reload()
  return { page, close: () => context.close() }
}

/** Asserts that no hostile text became an element. */
async function nothingWasMade(page: Page) {
  // ASVS 1.1.2, 1.2.2, 3.2.2
  await expect(page.locator('img[src="x"], iframe, svg[onload], a[href^="javascript:"]')).toHaveCount(0)
}

async function send(account: Account, method: 'POST' | 'PUT', path: string, body: object) {
  const { token } = await openSession(account)
  const answer = await fetch(baseURL() + path, {
    method,
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })
  expect(answer.ok, `${method} ${path} answered ${answer.status}`).toBe(true)
  return (await answer.json()) as { service?: { id: string } }
}

// T17: every dashboard shows user input as plain text.
test('hostile texts in every field stay texts on every dashboard', { tag: '@main' }, async ({ browser }) => {
  const consultant = await hire('consultant', '<img src=x onerror=alert(11)>')
  const [reception, pa, own, admin] = [
    await deskOfRole('reception'),
    await deskOfRole('pa'),
    await deskFor(consultant),
    accountOf('admin'),
  ]
  const phone = `6${String(Date.now()).slice(-9)}`
  const service = { name: `<svg onload=alert(12)> ${Date.now()}`, description: everything, est_minutes: 30 }
  const { service: made } = await send(admin, 'POST', '/api/services', service)
  await expect
    .poll(async () => (await (await deskOfRole('admin')).consultants()).includes(own.userId))
    .toBe(true)
  await send(admin, 'PUT', `/api/consultants/${own.userId}`, { specialization: seeds.slice(0, 5) })
  const office = (await (await fetch(`${baseURL()}/api/office`)).json()) as { appointmentSlots: string[] }
  await send(admin, 'POST', '/api/appointments', {
    name: seeds[1],
    phone,
    email: "o'neil+x@example.com",
    service: service.name,
    preferredDate: monday,
    preferredTime: office.appointmentSlots.at(-1),
    message: everything,
  })

  const desks = {
    reception: await watchDashboard(browser, accountOf('reception')),
    pa: await watchDashboard(browser, accountOf('pa')),
    consultant: await watchDashboard(browser, consultant),
    admin: await watchDashboard(browser, admin),
  }
  const visits: Visit[] = []
  for (const name of seeds) visits.push(await reception.register({ name, phone, notes: everything }))
  const [first, second, third, ...waiting] = visits
  if (!first || !second || !third) throw new Error('there are fewer seeds than the test needs')

  await test.step('at reception and at the PA', async () => {
    for (const { name, token } of visits) {
      const row = await find(desks.reception.page, token)
      await expect(row.getByText(name, { exact: true })).toBeVisible()
    }
    for (const { name } of visits)
      await expect(desks.pa.page.getByRole('heading', { name }).first()).toBeVisible()
    await expect(desks.pa.page.getByText(everything).first()).toBeVisible()
  })

  await test.step('at the consultant, with the earlier notes', async () => {
    provoke(desks.consultant.page, overBeforeShown)
    await pa.approve(first, own.userId, everything)
    await own.start(first)
    await own.complete(first, everything)
    await pa.approve(second, own.userId, everything)
    await pa.approve(third, own.userId, everything)
    await own.start(second)
    const { page } = desks.consultant
    await expect(page.getByText(second.name).first()).toBeVisible()
    await expect(page.getByRole('group', { name: 'Earlier visits' })).toContainText(everything)
    await expect(page.getByRole('listitem').filter({ hasText: third.name }).first()).toBeVisible()
  })

  await test.step('as notifications, in toasts and in the drawer', async () => {
    for (const message of seeds) await reception.notify(message)
    for (const { page } of Object.values(desks)) {
      await page.getByRole('button', { name: /^Notifications, / }).click()
      const drawer = page.getByRole('dialog', { name: 'Notifications', exact: true })
      await expect(drawer.getByText(seeds.at(-1) ?? '').first()).toBeVisible()
      await page.keyboard.press('Escape')
      await expect(drawer).toBeHidden()
    }
  })

  await test.step('on every tab of every dashboard', async () => {
    await desks.reception.page.keyboard.press('Shift+F8')
    await desks.reception.page.getByText(/^Requests/).first().click()
    await expect(desks.reception.page.getByText(everything).first()).toBeVisible()
    for (const { page } of Object.values(desks)) {
      const tabs = page.getByRole('tablist').first().getByRole('tab')
      for (let index = 0; index < (await tabs.count()); index++) {
        await tabs.nth(index).click()
        await expect(tabs.nth(index)).toHaveAttribute('aria-selected', 'true')
        await expect(page.locator('.ant-skeleton, .ant-spin-spinning')).toHaveCount(0)
        await nothingWasMade(page)
      }
    }
    const { page } = desks.admin
    for (const place of Object.values(adminPlaces)) {
      await page.goto(place)
      await expect(page.getByRole('tabpanel').locator('.panel').first()).toBeVisible()
      await expect(page.locator('.skeleton')).toHaveCount(0)
      await nothingWasMade(page)
    }
  })

  await test.step('in the audit trail, with what changed', async () => {
    const { page } = desks.admin
    await page.getByRole('tab', { name: 'Audit Trail' }).click()
    await page.getByLabel('Entity ID').fill(first.id)
    await page.getByRole('button', { name: 'Load Audit Trail' }).click()
    const table = page.getByRole('group', { name: 'Audit records' })
    await expect(table.getByRole('row')).toHaveCount(5)
    await expect(table).toContainText(first.name)
    await expect(table).toContainText(consultant.name)
  })

  for (const { page, close } of Object.values(desks)) {
    await nothingWasMade(page)
    await close()
  }
  for (const visit of waiting) await pa.deny(visit)
  await own.complete(second)
  await send(admin, 'PUT', `/api/services/${made?.id}`, { ...service, is_active: 0 })
})
