import { expect, type Page } from '@playwright/test'
import { adminPlaces } from '../e2e/admin-places'
import { answer, dialog, fail, press, ready, refuseValues, shows, type Screen } from './scene'

const all = '**/api/office/settings'
const preview = (section: string) => `${all}/${section}/preview`

type Section = { version: number; changedBy: { id: string; name: string } | null; value: object }
type Settings = { office: { version: number; mode: string; sections: Record<string, Section> } }

const form = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
const open = (page: Page, section: string) => ready(page, `${adminPlaces.settings}&section=${section}`)

/** Changes the settings that the server answers with. */
export const withSettings = (page: Page, change: (settings: Settings) => void) =>
  page.route(all, async (route) => {
    const response = await route.fetch()
    const settings = (await response.json()) as Settings
    change(settings)
    await route.fulfill({ json: settings })
  })

const concerned = (id: number, text: string, time: string) => ({
  id: `a${id}`,
  text,
  date: '2026-11-28',
  time,
})

const effects = [
  {
    code: 'appointments_outside',
    count: 3,
    first: [concerned(1, 'Asha Kulkarni', '16:00'), concerned(2, 'Leela Nair', '16:00')],
  },
]

const version = (number: number, by: object | null, source: string) => ({
  version: number,
  at: `2026-11-2${number}T04:42:00.000Z`,
  by,
  sections: ['hours', 'line'],
  source,
  restoredFrom: null,
})

const anand = { id: 'anand', name: 'Anand Iyer' }
const versions = [version(3, anand, 'product'), version(2, anand, 'product'), version(1, null, 'file')]

const changes = [
  { key: '/hours/1/close', before: '5 PM', after: '4 PM' },
  {
    key: '/specialDays',
    before: [],
    after: [{ date: '2026-12-02', name: 'Moving', open: null, close: null }],
  },
]

const done = (key: string, isDone: boolean) => ({
  key,
  done: isDone,
  at: isDone ? '2026-11-20T04:42:00.000Z' : null,
  by: isDone ? anand : null,
})

const steps = ['hours', 'services', 'people', 'desks', 'screen', 'notice', 'backup']

async function changeLine(page: Page) {
  await open(page, 'line')
  await form(page, 'Line').getByLabel('Visitors called first').fill('5')
}

/** The forms, whose fields each section has of its own kind. */
const sections = {
  hours: 'Opening hours',
  page: 'Public page',
  languages: 'Languages',
  line: 'Line',
  desks: 'Desks',
  appointments: 'Appointments',
  notice: 'Privacy notice',
}

const forms = Object.fromEntries(
  Object.entries(sections).map(([section, name]) => [
    section,
    async (page: Page) => {
      await open(page, section)
      return form(page, name)
    },
  ]),
)

/** The office's settings, and the checklist of the first day. */
export const settings: Screen = {
  name: 'admin-settings',
  role: 'admin',
  scenes: {
    ...forms,
    error: async (page) => {
      await fail(page, all)
      await page.goto(adminPlaces.settings)
      return shows(page, 'Failed to load the settings')
    },
    changes: async (page) => {
      await answer(page, preview('hours'), { preview: { changes: [changes[0]], effects } })
      await open(page, 'hours')
      await form(page, 'Opening hours').getByRole('switch').nth(1).click()
      return shows(page, '3 appointments then need a new time')
    },
    invalid: async (page) => {
      await refuseValues(page, preview('contact'), { '/email': 'Please check this value' })
      await open(page, 'contact')
      await form(page, 'Address and contacts').getByLabel('E-mail').fill('desk@')
      return shows(page, 'These values cannot be saved')
    },
    conflict: async (page) => {
      await changeLine(page)
      await withSettings(page, ({ office }) => {
        const { line } = office.sections
        if (!line) return
        line.version += 1
        line.changedBy = anand
        const { queue } = line.value as { queue: object }
        line.value = { queue: { ...queue, maxBypass: 4 } }
      })
      await page.reload()
      return shows(page, 'Another administrator changed this meanwhile.')
    },
    file: async (page) => {
      await withSettings(page, ({ office }) => {
        office.mode = 'file'
      })
      await open(page, 'contact')
      return shows(page, /^These settings are in the office's file\. Change them there:/)
    },
    versions: async (page) => {
      await answer(page, '**/api/office/versions?*', {
        versions,
        pagination: { page: 1, limit: 50, total: 3, pages: 1 },
      })
      await answer(page, '**/api/office/versions/3', { version: { ...versions[0], changes } })
      await open(page, 'hours')
      await press(page, 'Versions')
      await press(page, /^What changed in version 3$/)
      await shows(page, /Moving/)
      return dialog(page)
    },
    holidays: async (page) => {
      await open(page, 'hours')
      await press(page, 'Add from the list')
      const list = await dialog(page)
      await expect(list.getByRole('checkbox').first()).toBeVisible()
      return list
    },
    checklist: async (page) => {
      await answer(page, '**/api/office/setup', {
        setup: { dismissed: false, items: steps.map((key, index) => done(key, index < 2)) },
      })
      await ready(page, '/dashboard/admin?tab=analytics')
      const list = page.getByRole('region', { name: 'Set up your office' })
      await expect(list).toBeVisible()
      return list
    },
  },
}
