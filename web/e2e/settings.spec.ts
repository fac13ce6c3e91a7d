import type { Page } from '@playwright/test'
import { expectAccessible } from './accessibility'
import { adminPlaces } from './admin-places'
import { provoke } from './faults'
import { putBack, readSettings, type Settings } from './office-settings'
import { accountOf, arrive, asAdmin, hire, openSession } from './people'
import { expect, test } from './test'

const settings = (section: string) => `${adminPlaces.settings}&section=${section}`
const form = (page: Page, name: string) => page.getByRole('region', { name, exact: true })

const dayMs = 86_400_000

/** The next 26 January after today, and a weekday ten to twelve days ahead, as YYYY-MM-DD. */
const today = new Date().toISOString().slice(0, 10)
const year = Number(today.slice(0, 4))
const republicDay = today < `${year}-01-26` ? `${year}-01-26` : `${year + 1}-01-26`
const soon = [10, 11, 12]
  .map((days) => new Date(Date.now() + days * dayMs))
  .find((day) => ![0, 6].includes(day.getUTCDay()) && !day.toISOString().includes('-01-26'))
const closedDay = (soon ?? new Date()).toISOString().slice(0, 10)

const shownDay = new Intl.DateTimeFormat('en-IN', { day: 'numeric', month: 'long', timeZone: 'UTC' }).format(
  new Date(closedDay),
)

let before: Settings

test.beforeEach(async () => {
  before = await readSettings()
})

test.afterEach(() => putBack(before))

test('an admin closes 26 January and a day soon; another browser shows it on the public page and in its form', async ({
  browser,
}) => {
  const admin = await arrive(browser, accountOf('admin'), { at: settings('hours'), theme: 'system' })
  // The preview of a day whose date is not entered yet is rejected.
  provoke(admin.page, /^400 POST \/api\/office\/settings\/hours\/preview$/)
  const visitor = await browser.newContext()
  const landing = await visitor.newPage()
  const hours = form(admin.page, 'Opening hours')

  await test.step('Republic Day comes from the list', async () => {
    await hours.getByRole('button', { name: 'Add from the list' }).click()
    const list = admin.page.getByRole('dialog', { name: 'Holidays' })
    await list.getByRole('checkbox', { name: /^Republic Day/ }).check()
    await list.getByRole('button', { name: 'Add the chosen ones' }).click()
    await expect(list).toBeHidden()
    await expect(hours.getByText('26 January Republic Day is added')).toBeVisible()
  })

  await test.step('another day is entered by hand', async () => {
    await hours.getByRole('button', { name: 'Add a day' }).click()
    const day = hours.getByRole('group', { name: 'Other days 1' })
    await day.getByLabel(/, Date$/).fill(closedDay)
    await hours
      .getByRole('group', { name: closedDay })
      .getByLabel(/, Name$/)
      .fill('Stock-taking')
    await expect(hours.getByText(/, closed, Stock-taking is added$/)).toBeVisible()
    await expectAccessible(admin.page, 'the opening hours with changes')
    await hours.getByRole('button', { name: 'Save' }).click()
    await expect(admin.page.getByRole('button', { name: 'Undo: Opening hours saved' })).toBeVisible()
  })

  await test.step('the public page and its form say so', async () => {
    await expect(async () => {
      await landing.goto('/')
      await expect(landing.getByText(`Closed on ${shownDay}: Stock-taking`)).toBeVisible()
    }).toPass()
    await landing.getByLabel('Preferred Date').fill(republicDay)
    await expect(landing.getByText('Closed on 26 January: Republic Day')).toBeVisible()
    await expect(landing.getByRole('radio', { name: '11:00' })).toBeDisabled()
  })

  await test.step('the undo opens both days again', async () => {
    await admin.page.getByRole('button', { name: 'Undo: Opening hours saved' }).click()
    await expect(hours.getByText('No holidays yet')).toBeVisible()
    await expect(async () => {
      await landing.reload()
      await expect(landing.getByRole('heading', { level: 1 })).toBeVisible()
      await expect(landing.getByText(`Closed on ${shownDay}: Stock-taking`)).toBeHidden()
    }).toPass()
  })
  await admin.context.close()
  await visitor.close()
})

/** A second admin, so that a conflict has two names. */
async function secondAdmin() {
  const account = await hire('pa')
  const { userId } = await openSession(account)
  await asAdmin('PUT', `/api/users/${userId}`, { role: 'admin', isActive: true, is_active: true })
  return account
}

test('two admins in two browsers: other sections do not conflict, the same one asks', async ({ browser }) => {
  const other = await secondAdmin()
  const first = await arrive(browser, accountOf('admin'), { at: settings('contact'), theme: 'system' })
  const { page: second, context } = await arrive(browser, other, { at: settings('board'), theme: 'system' })
  const save = (page: Page) => page.getByRole('button', { name: 'Save', exact: true })

  await test.step('each saves another section', async () => {
    await form(first.page, 'Address and contacts').getByLabel('Area').fill('Jayanagar 4th T Block')
    await form(second, 'Board').getByLabel('Line of text').fill('Tea is at the back')
    await save(first.page).click()
    await expect(first.page.getByRole('button', { name: 'Undo: Address and contacts saved' })).toBeVisible()
    await save(second).click()
    await expect(second.getByRole('button', { name: 'Undo: Board saved' })).toBeVisible()
  })

  await test.step('in the same section both values are shown, and the own one is saved', async () => {
    await second.goto(settings('contact'))
    await form(second, 'Address and contacts').getByLabel('City').fill('Mysuru')
    await form(first.page, 'Address and contacts').getByLabel('City').fill('Hubballi')
    await save(first.page).click()
    await expect(second.getByRole('group', { name: 'This changes' })).toContainText(
      'Yours: Mysuru. Theirs: Hubballi.',
    )
    await expectAccessible(second, 'a conflict')
    await second.getByRole('button', { name: 'Save mine' }).click()
    await expect(form(first.page, 'Address and contacts').getByLabel('City')).toHaveValue('Mysuru')
  })

  await test.step('the undo of the first admin is gone, and the versions restore the value', async () => {
    await expect(first.page.getByRole('button', { name: 'Undo: Address and contacts saved' })).toBeHidden()
    await form(first.page, 'Address and contacts').getByRole('button', { name: 'Versions' }).click()
    const versions = first.page.getByRole('dialog', { name: 'Versions: Address and contacts' })
    await expect(versions.getByRole('listitem').first()).toContainText(other.name)
    await versions
      .getByRole('button', { name: /^Restore this: version/ })
      .first()
      .click()
    await first.page.keyboard.press('Escape')
    await expect(form(first.page, 'Address and contacts').getByLabel('City')).toHaveValue('Hubballi')
  })
  await first.context.close()
  await context.close()
})

test('on a phone a select opens the sections, and the changes stay at the foot', async ({ browser }) => {
  const viewport = { width: 390, height: 844 }
  const { page, context } = await arrive(browser, accountOf('admin'), {
    at: settings('hours'),
    theme: 'system',
    viewport,
  })
  await page.getByRole('combobox', { name: 'Sections of the settings' }).click()
  await page.locator('.ant-select-dropdown:visible').getByTitle('Line', { exact: true }).click()
  const line = form(page, 'Line')
  await line.getByLabel('Visitors called first').fill('4')
  await expect(line.getByText('Visitors called first: 4, not 3')).toBeInViewport()
  await expect(line.getByRole('button', { name: 'Save' })).toBeInViewport()
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(viewport.width)
  await expectAccessible(page, 'the rules of the line on a phone')
  await line.getByRole('button', { name: 'Discard' }).click()
  await context.close()
})

test('the settings are changed by keyboard alone', async ({ browser }) => {
  const { page, context } = await arrive(browser, accountOf('admin'), { at: settings('board') })
  const board = form(page, 'Board')
  await board.getByLabel('Line of text').focus()
  await page.keyboard.type('Please wait for your token')
  await expect(board.getByText('Line of text: Please wait for your token')).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: 'Undo: Board saved' })).toBeVisible()
  await page.keyboard.press('Control+F9')
  await expect(board.getByLabel('Line of text')).toHaveValue('')
  await context.close()
})
