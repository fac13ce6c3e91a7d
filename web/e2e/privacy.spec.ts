import { readFile } from 'node:fs/promises'
import { expectAccessible } from './accessibility'
import { adminPlaces } from './admin-places'
import { deskOfRole } from './desk'
import { accountOf, arrive } from './people'
import { openMore } from './queue'
import { expect, test } from './test'

test.describe.configure({ mode: 'serial' })

const phone = '9733311122'
const name = 'Kavitha Privacy-Canary'

test('a consent is given at registration and withdrawn from the row', async ({ browser }) => {
  const { page, context } = await arrive(browser, accountOf('reception'), { theme: 'system' })
  await page.getByLabel('Visitor Name').fill(name)
  await page.getByLabel('Phone Number').fill(phone)
  await page.getByLabel('Service Required').click()
  await page.locator('.ant-select-item-option').first().click()
  await openMore(page)
  const tick = page.getByRole('checkbox', { name: `May message ${phone}` })
  await expect(tick).not.toBeChecked()
  await tick.check()
  await expectAccessible(page, 'the registration with consents')
  await page.getByRole('button', { name: 'Create Token' }).click()
  const token = await page.getByRole('article', { name: /^Token T-/ }).getAttribute('aria-label')
  const row = `Actions for ${token?.replace('Token ', '')}`
  const all = page.getByRole('tab', { name: /All/ })
  await all.click()
  // Waits until the previous list has gone, because its rows have menus as well.
  await expect(all).toHaveAttribute('aria-selected', 'true')
  await page.getByRole('button', { name: row }).first().click()
  await page.getByRole('menuitem', { name: 'Consents...' }).click()
  const messages = page.getByRole('region', { name: 'Messages to the phone' })
  await expect(messages).toContainText('On slip')
  await expectAccessible(page, 'the consents of a visit')
  await messages.getByRole('button', { name: /^Withdraw consent/ }).press('Enter')
  await expect(messages).toContainText('Withdrawn:')
  await context.close()
})

for (const width of [1440, 390]) {
  test(`a request is lived from the register to its answer, ${width} px wide`, async ({ browser }) => {
    const viewport = { width, height: 900 }
    const at = adminPlaces.privacy
    const { page, context } = await arrive(browser, accountOf('admin'), { at, theme: 'system', viewport })
    await page.getByRole('button', { name: 'Add a request' }).click()
    const adding = page.getByRole('dialog')
    await adding.getByLabel('Phone Number').fill(phone)
    await adding.getByLabel('What the person asks for').fill(`What do you hold, asked at ${width}?`)
    await adding.getByRole('button', { name: 'Save' }).click()
    await expect(adding).toBeHidden()
    await expect(page.getByText(`asked at ${width}?`).first()).toBeVisible()
    await expectAccessible(page, 'the page Privacy')
    await page.setViewportSize({ width, height: 900 })

    const person = page.getByRole('button', { name: 'Person: Access, 97******22' }).first()
    await person.focus()
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Find' }).press('Enter')
    await expect(page.getByText(/^Visits: \d+\. Appointment requests/)).toBeVisible()

    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Export', exact: true }).click()
    const document = await readFile(await (await download).path(), 'utf8')
    expect(document).toContain(name)
    expect(document).toContain('purpose: messages')

    await page.getByRole('button', { name: 'Answer: Access, 97******22' }).first().click()
    const answering = page.getByRole('dialog')
    await answering.getByRole('textbox', { name: 'Answer' }).fill('Given on paper')
    await answering.getByRole('button', { name: 'Save' }).click()
    await expect(answering).toBeHidden()
    await expect(page.getByText('Given on paper').first()).toBeVisible()
    await context.close()
  })
}

test('an erasure shows its progress, and the person is gone', async ({ browser }) => {
  const { page, context } = await arrive(browser, accountOf('admin'), {
    at: adminPlaces.privacy,
    theme: 'system',
  })
  await page.getByLabel('Phone Number').fill(phone)
  await page.getByRole('button', { name: 'Erase...' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Erase', exact: true }).click()
  const progress = page.getByRole('region', { name: 'Erasure' })
  await expect(progress).toContainText('The person is erased')
  await expectAccessible(page, 'the progress of an erasure')
  await page.getByRole('button', { name: 'Find' }).click()
  await expect(page.getByText('Visits: 0. Appointment requests: 0.', { exact: false })).toBeVisible()
  await context.close()
})

test('the kit after a breach counts the persons and has their list and the drafts', async ({ browser }) => {
  await (await deskOfRole('reception')).register({ name: 'Breach Canary', phone: '9733311133' })
  const { page, context } = await arrive(browser, accountOf('admin'), {
    at: adminPlaces.privacy,
    theme: 'system',
  })
  const today = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'Asia/Kolkata' }).format()
  for (const day of ['from', 'to']) {
    await page.locator(`#privacy-breach_${day}`).fill(today)
    await page.keyboard.press('Enter')
  }
  await page.getByLabel('What happened').fill('A laptop with the list of today was stolen')
  await expectAccessible(page, 'the form after a breach')
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Make the kit' }).press('Enter')
  const kit = (await readFile(await (await download).path())).toString('latin1')
  const files = [
    'report.md',
    'persons.csv',
    'board.txt',
    ...['en', 'hi', 'kn', 'ta', 'te', 'mr'].map((language) => `persons-${language}.txt`),
  ]
  for (const file of files) expect(kit).toContain(file)
  await expect(page.getByText(/^Persons to inform: [1-9]/)).toBeVisible()
  await expect(page.getByText(/h \d+ min left/)).toHaveCount(2)
  await context.close()
})
