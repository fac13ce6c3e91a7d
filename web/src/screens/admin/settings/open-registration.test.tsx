import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { clearShelf } from '@/shelf'
import { openAdmin } from '@/test/open-admin'
import { settingsOf } from '@/test/settings'

beforeEach(clearShelf)

const sentence = 'Anyone who reaches this address can register and see visitors.'
const save = 'PUT /api/office/settings/access'
const saved = 'Undo: Registration and access saved'
const offered = () => screen.findByRole('button', { name: 'Require approval' })

type Registration = 'open' | 'approval' | 'closed'

const accessOf = (registration: Registration, version: number, debug = false) =>
  settingsOf({ access: { version, value: { features: { registration, debug } } } })

type Office = ReturnType<typeof openAdmin>['office']

/** The office answers these settings, and saves the section as the next version. */
function have(office: Office, registration: Registration, version: number, debug = false) {
  office.answer('GET /api/office/settings', () => accessOf(registration, version, debug))
  office.answer(save, () => {
    have(office, 'approval', version + 1, debug)
    const [next, value] = [version + 1, { features: { registration: 'approval', debug } }]
    return { office: { version: next, section: 'access', sectionVersion: next, value, effects: [] } }
  })
}

function openStaff(registration: Registration, version = 3) {
  const opened = openAdmin('staff')
  have(opened.office, registration, version)
  return opened
}

const bodies = (office: Office) => office.requests(save).map(({ body }) => body)

test('one press requires approval, and the undo opens registration again', async () => {
  const { office, person } = openStaff('open')
  await person.click(await offered())
  const undo = await screen.findByRole('button', { name: saved })
  expect(screen.queryByText(sentence)).toBeNull()
  expect(bodies(office)).toEqual([
    { value: { features: { registration: 'approval', debug: false } }, version: 3 },
  ])
  office.answer('POST /api/office/versions/3/restore', () => {
    have(office, 'open', 5)
    return { office: { version: 5, sectionVersion: 5, values: {}, effects: [] } }
  })
  await person.click(undo)
  expect(await screen.findByText(sentence)).toBeVisible()
  const body = { sections: ['access'], version: 4 }
  expect(office.requests('POST /api/office/versions/3/restore')[0]?.body).toEqual(body)
})

test('the banner stays above the lists while registration is open', async () => {
  openStaff('open')
  const banner = await screen.findByText(sentence)
  const staff = await screen.findByRole('region', { name: 'Staff' })
  expect(banner.compareDocumentPosition(staff)).toBe(Node.DOCUMENT_POSITION_FOLLOWING)
  expect(within(staff).queryByText(sentence)).toBeNull()
})

test.each(['approval', 'closed'] as const)('with registration %s there is no banner', async (mode) => {
  const { office } = openStaff(mode)
  await waitFor(() => expect(office.requests('GET /api/office/settings')).toHaveLength(1))
  await waitFor(() => expect(screen.queryByText(sentence)).toBeNull())
})

/** Another admin has changed the section, which this page learns from the refusal of its own change. */
function haveChangedMeanwhile(office: Office, registration: Registration) {
  office.fail(save, 412, { error: 'The record has changed meanwhile.', code: 'stale_version' })
  office.answer('GET /api/office/settings', () => {
    if (bodies(office).length === 0) return accessOf('open', 3)
    office.mend(save)
    have(office, registration, 7, true)
    return accessOf(registration, 7, true)
  })
}

test('after the change of another admin the section is read again, and the rest of it is kept', async () => {
  const { office, person } = openStaff('open')
  haveChangedMeanwhile(office, 'open')
  await person.click(await offered())
  expect(await screen.findByRole('button', { name: saved })).toBeVisible()
  expect(bodies(office)).toEqual([
    { value: { features: { registration: 'approval', debug: false } }, version: 3 },
    { value: { features: { registration: 'approval', debug: true } }, version: 7 },
  ])
})

test('what another admin has already changed is not changed again', async () => {
  const { office, person } = openStaff('open')
  haveChangedMeanwhile(office, 'closed')
  await person.click(await offered())
  await waitFor(() => expect(screen.queryByText(sentence)).toBeNull())
  expect(bodies(office)).toHaveLength(1)
  expect(screen.queryByRole('button', { name: saved })).toBeNull()
})

test('the undo is withdrawn when another admin changes the section', async () => {
  const { office, person } = openStaff('open')
  await person.click(await offered())
  await screen.findByRole('button', { name: saved })
  have(office, 'closed', 9)
  office.send({ type: 'status_update', data: { entity: 'office', entityId: 'office' } })
  await waitFor(() => expect(screen.queryByRole('button', { name: saved })).toBeNull())
})

test('a change that fails leaves the banner and its button', async () => {
  const { office, person } = openStaff('open')
  office.fail(save)
  await person.click(await offered())
  expect(await screen.findByText('Failed to save')).toBeInTheDocument()
  expect(screen.getByText(sentence)).toBeVisible()
})

test('a press waits until the settings are read', async () => {
  const { office, person } = openStaff('open')
  const release = office.hold('GET /api/office/settings')
  await person.click(await offered())
  expect(bodies(office)).toHaveLength(0)
  release()
  expect(await screen.findByRole('button', { name: saved })).toBeVisible()
})

test('settings that could not be read are read again by a press', async () => {
  const { office, person } = openStaff('open')
  office.fail('GET /api/office/settings', 403, { error: 'No.', code: 'forbidden' })
  expect(await screen.findByText('Failed to load the settings')).toBeInTheDocument()
  office.mend('GET /api/office/settings')
  await person.click(await offered())
  expect(await screen.findByRole('button', { name: saved })).toBeVisible()
})

test('where the file owns the settings, the banner says so and has no button', async () => {
  const { office } = openStaff('open')
  office.answer('GET /api/office/settings', () => settingsOf({}, 'file'))
  const file = "These settings are in the office's file. Change them there: baarictl office export."
  expect(await screen.findByText(`${sentence} ${file}`)).toBeVisible()
  expect(screen.queryByRole('button', { name: 'Require approval' })).toBeNull()
})
