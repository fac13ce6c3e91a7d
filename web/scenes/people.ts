import type { Page } from '@playwright/test'
import { dialog, press, ready, shows, type Screen } from './scene'
import { withSettings } from './settings'

const staff = '/dashboard/admin?tab=staff'

const person = (id: string, name: string, role: string, createdAt: string) => ({
  id,
  name,
  role,
  email: `${name.toLowerCase().replace(' ', '.')}@baari.example`,
  isActive: false,
  is_active: false,
  createdAt,
  updatedAt: createdAt,
  awaiting: true,
  invitedUntil: null,
})

const waiting = [
  person('w1', 'Lata Deshpande', 'reception', '2026-11-19T11:40:00.000Z'),
  person('w2', 'Imran Qureshi', 'consultant', '2026-11-20T04:05:00.000Z'),
]

/** The list of accounts, with people who wait for approval. */
async function peopleWait(page: Page) {
  await page.route('**/api/users?*awaiting=true*', (route) =>
    route.fulfill({ json: { users: waiting, pagination: { page: 1, limit: 100, total: 2, pages: 1 } } }),
  )
  await ready(page, staff)
}

/** Colleagues who were invited: the links of the first have ended. */
async function someAreInvited(page: Page) {
  await page.route('**/api/users?*', async (route) => {
    const response = await route.fetch()
    const json = (await response.json()) as { users: { id: string }[] }
    const users = json.users.map((user, index) => ({
      ...user,
      invitedUntil: [`2026-11-20T05:30:00.000Z`, `2099-01-02T05:30:00.000Z`][index] ?? null,
    }))
    await route.fulfill({ response, json: { ...json, users } })
  })
  await ready(page, staff)
}

const open = 'Anyone who reaches this address can register and see visitors.'

/** The settings of an office whose file is their owner. */
async function settingsAreInFile(page: Page) {
  await withSettings(page, ({ office }) => {
    office.mode = 'file'
  })
  await ready(page, staff)
}

export const people: Screen = {
  name: 'admin-people',
  role: 'admin',
  scenes: {
    'registration-open': async (page) => {
      await ready(page, staff)
      return shows(page, open)
    },
    'registration-in-file': async (page) => {
      await settingsAreInFile(page)
      return shows(page, `${open} These settings are in the office's file.`)
    },
    waiting: async (page) => {
      await peopleWait(page)
      return page.getByRole('region', { name: 'Waiting for approval' })
    },
    refused: async (page) => {
      await peopleWait(page)
      await press(page, 'Refuse Lata Deshpande')
      return dialog(page)
    },
    invited: async (page) => {
      await someAreInvited(page)
      return shows(page, /^Invited, link ends/)
    },
  },
}
