import { screen, waitFor, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { accounts, needFreshSession, openAdmin } from '@/test/open-admin'

type Opened = ReturnType<typeof openAdmin>
type Case = { tab: string; call: string; act: (opened: Opened) => Promise<void>; done: string }

const again = 'Please sign in again for this'

const dialogOf = async (title: string) => within(await screen.findByRole('dialog', { name: title }))

/** Finds, by its text, the dialog that asks for the password: in tests, dialogs have the same title id. */
async function asking() {
  const dialog = (await screen.findByText(again)).closest<HTMLElement>('[role="dialog"]')
  if (!dialog) throw new Error('the question is in no dialog')
  return within(dialog)
}

/** The requests that are refused, and what the screen shows after a request was repeated. */
const cases: Record<string, Case> = {
  'an invitation': {
    tab: 'staff',
    call: 'POST /api/users',
    act: async ({ office, person }) => {
      office.answer('POST /api/users', () => ({ data: accounts[0], invite_url: 'https://office/reset' }))
      await person.click(await screen.findByRole('button', { name: 'Add Staff Member' }))
      const dialog = await dialogOf('Add Staff Member')
      await person.type(dialog.getByLabelText('Name'), 'Arjun')
      await person.type(dialog.getByLabelText('Email'), 'arjun@lekha.in')
      await person.click(dialog.getByRole('button', { name: 'Add Staff Member' }))
    },
    done: 'Staff member added',
  },
  'a deactivation': {
    tab: 'staff',
    call: 'PUT /api/users/zoya',
    act: async ({ office, person }) => {
      office.answer('PUT /api/users/zoya', () => ({ data: accounts[0] }))
      await person.click(await screen.findByRole('button', { name: 'Deactivate Zoya' }))
    },
    done: 'Zoya cannot sign in any more.',
  },
  'a new screen': {
    tab: 'office&page=waiting-room',
    call: 'POST /api/devices',
    act: async ({ office, person }) => {
      office.answer('GET /api/devices', () => ({ devices: [] }))
      office.answer('GET /api/office/voice', () => ({ packs: [] }))
      office.answer('POST /api/devices', () => ({ device: {}, pairing_code: 'K7M4-2QXD' }))
      await person.click(await screen.findByRole('button', { name: 'Add screen' }))
      const dialog = await dialogOf('Add a screen')
      await person.type(dialog.getByLabelText('Name of the screen'), 'Hall')
      await person.click(dialog.getByRole('button', { name: 'Add screen' }))
    },
    done: 'K7M4-2QXD',
  },
  'an export': {
    tab: 'analytics',
    call: 'GET /api/analytics/export',
    act: async ({ office, person }) => {
      vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:file')
      vi.spyOn(HTMLAnchorElement.prototype, 'click').mockReturnValue()
      office.answer('GET /api/analytics/export', () => ({}))
      await person.click(await screen.findByRole('button', { name: 'Export Visitor Data' }))
    },
    done: 'Data exported successfully',
  },
}

test.each(Object.entries(cases))(
  '%s by an old session asks for the password and goes on',
  async (_what, { tab, call, act, done }) => {
    const opened = openAdmin(tab)
    needFreshSession(opened.office, call)
    await act(opened)
    const asked = await asking()
    await opened.person.type(asked.getByLabelText('Password'), 'a long password{Enter}')
    expect(await screen.findByText(done)).toBeInTheDocument()
    const sent = opened.office.requests(call)
    expect(sent).toHaveLength(2)
    expect(sent[1]?.headers.get('Authorization')).toBe('Bearer token-of-the-new-session')
    await waitFor(() => expect(screen.queryByText(again)).toBeNull())
  },
)

test('without the password nothing is sent again, and a toast says why', async () => {
  const { office, person } = openAdmin('staff')
  office.answer('PUT /api/users/zoya', () => ({ data: accounts[0] }))
  needFreshSession(office, 'PUT /api/users/zoya')
  await person.click(await screen.findByRole('button', { name: 'Deactivate Zoya' }))
  const asked = await asking()
  await person.click(asked.getByRole('button', { name: 'Cancel' }))
  expect(await screen.findByText('Please sign in again for this.')).toBeInTheDocument()
  expect(office.requests('PUT /api/users/zoya')).toHaveLength(1)
})

test('an activation is for the role that the table shows', async () => {
  const { office, person } = openAdmin('staff')
  const inactive = { ...accounts[2], isActive: false }
  office.answer('GET /api/users', () => ({
    users: [inactive],
    pagination: { page: 1, limit: 100, total: 1, pages: 1 },
  }))
  office.answer('PUT /api/users/divya', () => ({ data: inactive }))
  await person.click(await screen.findByRole('button', { name: 'Activate Divya' }))
  await waitFor(() =>
    expect(office.requests('PUT /api/users/divya')[0]?.body).toEqual({
      isActive: true,
      is_active: true,
      role: 'reception',
    }),
  )
})
