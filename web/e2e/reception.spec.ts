import type { Locator } from '@playwright/test'
import { atEveryLook } from './accessibility'
import { flashes, registered } from './answers'
import { monday } from './appointment-days'
import { deskOfRole } from './desk'
import { provoke } from './faults'
import { mailsTo } from './mail'
import { accountOf, arrive, type Person } from './people'
import { expectActive, openMore } from './queue'
import { expect, test } from './test'

/** A phone number that no other visit has. */
const newPhone = () => String(9_000_000_000 + (Date.now() % 999_999_999))

async function openDesk(browser: Parameters<typeof arrive>[0]): Promise<Person> {
  const desk = await arrive(browser, accountOf('reception'), { theme: 'system' })
  await expect(desk.page.getByLabel('Visitor Name')).toBeFocused()
  return desk
}

// S2.appt.11
test(
  'a request of the public page is mailed to the office, appears at reception at once and is confirmed',
  { tag: '@main' },
  async ({ browser }) => {
    const { page, context } = await openDesk(browser)
    const name = `Leela ${Date.now() % 1_000_000}`
    const requested = {
      name,
      phone: newPhone(),
      email: 'leela@example.com',
      service: 'GST Registration',
      preferredDate: monday,
      preferredTime: '11:00',
      message: 'With my father',
    }
    await page.keyboard.press('Shift+F8')
    await expect(page).toHaveURL(/tab=appointments$/)
    await page
      .getByText('Requests', { exact: true })
      .or(page.getByText(/^Requests \d+$/))
      .click()
    await expect(page).toHaveURL(/view=requests/)
    const answer = await page.request.post('/api/appointments', { data: requested })
    expect(answer.status()).toBe(201)
    const entry = page.getByRole('listitem', { name, exact: true })
    await entry.getByRole('button', { name: `Details of ${name}` }).press('Enter')
    await expect(entry).toContainText('With my father')

    const office = (await (await page.request.get('/api/office')).json()) as { email: string }
    await expect(async () => {
      const mail = (await mailsTo(office.email)).find(({ text }) => text.includes(name))
      expect(mail?.subject).toBe(`Appointment request: GST Registration, ${monday} 11:00`)
      expect(mail?.text).toContain(requested.phone)
    }).toPass()

    const confirmed = flashes(page, `${name} confirmed.`)
    await entry.getByRole('button', { name: `Confirm and send: ${name}` }).press('Enter')
    await confirmed
    await expect(entry).toHaveCount(0)
    await context.close()
  },
)

test('a phone number is taken as people write it, in both widths and themes', async ({ browser }) => {
  const { page, context } = await openDesk(browser)
  const [name, phone] = [page.getByLabel('Visitor Name'), page.getByLabel('Phone Number', { exact: true })]
  await atEveryLook(page, async (look) => {
    for (const typed of ['+91 98450 33333', '098450-33333', '98450 33333']) {
      await phone.fill(typed)
      await expect(phone, `${typed}, ${look}`).toHaveValue('9845033333')
    }
    await phone.fill('')
    await name.fill('')
    await name.pressSequentially('9845033333')
    await expect(phone, look).toHaveValue('9845033333')
    await expect(name, look).toHaveValue('')
    await expect(phone, look).toBeFocused()
    await phone.fill('')
  })
  await context.close()
})

test(
  'registering a returning visitor takes at most 25 keys and 4 tab stops',
  { tag: '@main' },
  async ({ browser }) => {
    const phone = newPhone()
    await (await deskOfRole('reception')).register({ name: 'Asha Kulkarni', phone })
    const { page, context } = await openDesk(browser)
    const pressed: string[] = []
    const press = async (...keys: string[]) => {
      for (const key of keys) {
        pressed.push(key)
        await page.keyboard.press(key)
      }
    }
    await press('Tab', ...Array.from(phone), 'Enter')
    await expect(page.getByLabel('Service Required')).toBeFocused()
    await expect(page.getByLabel('Visitor Name')).toHaveValue('Asha Kulkarni')
    await press('I', 'T', 'R')
    await expectActive(page, 'ITR')
    await press('Enter', 'Enter')
    await expect(page.getByText(registered)).toBeVisible()
    await expect(page.getByLabel('Visitor Name')).toBeFocused()
    const stops = pressed.filter((key) => key === 'Tab').length
    console.log(`a token for a returning visitor: ${pressed.length} keys, ${stops} tab stops`)
    expect(pressed.length).toBeLessThanOrEqual(25)
    expect(stops).toBeLessThanOrEqual(4)
    await context.close()
  },
)

test('the response of a slow lookup leaves alone what was typed since, and a cut line does not delay Enter', async ({
  browser,
}) => {
  const phone = newPhone()
  await (await deskOfRole('reception')).register({ name: 'Asha Kulkarni', phone })
  const { page, context } = await openDesk(browser)
  provoke(page, /^failed \w+ /, /^console Error: Failed to fetch/)
  const [name, number, service] = ['Visitor Name', 'Phone Number', 'Service Required'].map((label) =>
    page.getByLabel(label),
  ) as [Locator, Locator, Locator]
  const error = page.getByText('Name is required')
  let gate = Promise.withResolvers<undefined>()
  await page.route('**/api/visits/lookup', async (route) => {
    await gate.promise
    await route.continue()
  })
  const answered = async () => {
    const response = page.waitForResponse('**/api/visits/lookup')
    gate.resolve(undefined)
    await response
    gate = Promise.withResolvers()
  }

  // Although the visitor is known, the name that was typed in the meantime must stay.
  await number.fill(phone)
  await number.press('Enter')
  await name.fill('Ravi Shetty')
  await answered()
  await expect(page.getByRole('button', { name: 'Use this name' })).toBeVisible()
  await expect(name).toHaveValue('Ravi Shetty')
  await expect(name).toBeFocused()

  // Although the visitor is known, the focus must stay where the user has moved it in the meantime.
  await page.reload()
  await name.fill('')
  await number.fill('')
  await number.fill(phone)
  await number.press('Enter')
  await service.focus()
  await answered()
  await expect(name).toHaveValue('Asha Kulkarni')
  await expect(service).toBeFocused()

  // For an unknown visitor, the empty name is no error, and the focus stays.
  await name.fill('')
  await number.fill(newPhone())
  await number.press('Enter')
  await service.focus()
  await answered()
  await page.waitForTimeout(300)
  await expect(error).toHaveCount(0)
  await expect(service).toBeFocused()

  await page.unroute('**/api/visits/lookup')
  await context.setOffline(true)
  await number.fill(newPhone())
  await number.press('Enter')
  await expect(error).toBeVisible()
  await expect(name).toBeFocused()
  await context.close()
})

/** Asserts that a PDF has a single page, and returns the width of the page in millimetres. */
function pageOf(pdf: Buffer) {
  const boxes = [...pdf.toString('latin1').matchAll(/\/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]/g)]
  expect(boxes).toHaveLength(1)
  return Math.round((Number(boxes[0]?.[1]) / 72) * 25.4)
}

test('the token is printed in the language of the visitor, on one slip of 58 or 80 mm', async ({
  browser,
}) => {
  const { page, context } = await openDesk(browser)
  await page.keyboard.type('Ravi Shetty')
  await page.keyboard.press('Tab')
  await page.keyboard.type(newPhone())
  await page.keyboard.press('Tab')
  await page.keyboard.type('ITR')
  await expectActive(page, 'ITR')
  await page.keyboard.press('Enter')
  await openMore(page)
  await page.getByRole('combobox', { name: "Visitor's language" }).click()
  await page.locator('.ant-select-item-option').filter({ hasText: 'ಕನ್ನಡ' }).click()
  await page.getByLabel('Special Notes').press('Control+Enter')
  await expect(page.getByText(registered)).toBeVisible()
  await expect(page.locator('.token-slip[lang="kn"]')).toHaveCount(1)
  await expect(page.locator('.token-slip .slip-code')).toHaveCount(1)
  expect(pageOf(await page.pdf({ preferCSSPageSize: true }))).toBe(58)
  await page.getByRole('button', { name: 'Paper width: 58 mm' }).click()
  await page.getByRole('menuitem', { name: '80 mm' }).click()
  expect(pageOf(await page.pdf({ preferCSSPageSize: true }))).toBe(80)
  await page.emulateMedia({ media: 'print' })
  await expect(page.locator('.token-slip')).toContainText('Ravi Shetty')
  await expect(page.getByRole('heading', { name: 'Receptionist Dashboard' })).toBeHidden()
  expect(await page.evaluate(() => localStorage.getItem('baari.paper'))).toBe('80')
  await context.close()
})
