import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import type { components } from '@/api/directory'
import settingTexts from '@/locales/en/settings.json'
import { clearShelf } from '@/shelf'
import { openAdmin } from '@/test/open-admin'
import { settingsOf, values } from '@/test/settings'

type Effect = components['schemas']['OfficeEffect']
type Change = components['schemas']['OfficeChange']

beforeEach(clearShelf)

function openSettings(section: string, answer = settingsOf()) {
  const opened = openAdmin(`office&page=settings&section=${section}`)
  opened.office.answer('GET /api/office/settings', () => answer)
  return opened
}

type Opened = ReturnType<typeof openSettings>

function answerPreview({ office }: Opened, section: string, changes: Change[], effects: Effect[] = []) {
  office.answer(`POST /api/office/settings/${section}/preview`, () => ({ preview: { changes, effects } }))
}

/** The server saves a section as the given version of the document. */
function answerSave({ office }: Opened, section: string, version: number) {
  office.answer(`PUT /api/office/settings/${section}`, () => {
    const { value } = office.requests(`PUT /api/office/settings/${section}`).at(-1)?.body as { value: object }
    office.answer('GET /api/office/settings', () => settingsOf({ [section]: { version, value } }))
    return { office: { version, section, sectionVersion: version, value, effects: [] } }
  })
}

const form = async (name: string) => within(await screen.findByRole('region', { name }))
const closed = {
  ...values.hours,
  hours: values.hours.hours.with(1, { days: 'Saturday', open: null, close: null }),
}

test('a change shows once what it does, is saved whole, and can be undone', async () => {
  const opened = openSettings('hours')
  const { office, person } = opened
  answerPreview(
    opened,
    'hours',
    [{ key: '/hours/1/open', before: '9 AM', after: null }],
    [
      {
        code: 'appointments_outside',
        count: 2,
        first: [{ id: 'a', text: 'Asha Kulkarni', date: '2026-11-28', time: '10:00' }],
      },
    ],
  )
  answerSave(opened, 'hours', 4)
  const hours = await form('Opening hours')
  expect(hours.getByText(/changed by Asha Rao, 20 Nov 2026, 10:12 AM/)).toBeVisible()
  expect(hours.queryByRole('button', { name: 'Save' })).toBeNull()
  await person.click(hours.getByRole('switch', { name: 'Hours of the week 2, Open' }))
  expect(await hours.findByText('Saturday: closed, not open 9:00 AM to 5:00 PM')).toBeVisible()
  expect(hours.getByText('2 appointments then need a new time')).toBeVisible()
  expect(hours.getByText('Asha Kulkarni')).toBeVisible()
  const previews = office.requests('POST /api/office/settings/hours/preview')
  expect(previews.map(({ body }) => body)).toEqual([{ value: closed }])

  await person.click(hours.getByRole('button', { name: 'Save' }))
  const undo = await screen.findByRole('button', { name: 'Undo: Opening hours saved' })
  expect(office.requests('PUT /api/office/settings/hours')[0]?.body).toEqual({ value: closed, version: 3 })
  await waitFor(() => expect(hours.queryByRole('button', { name: 'Save' })).toBeNull())

  office.answer('POST /api/office/versions/3/restore', () => ({
    office: { version: 5, sectionVersion: 5, values: { hours: values.hours }, effects: [] },
  }))
  await person.click(undo)
  await waitFor(() =>
    expect(office.requests('POST /api/office/versions/3/restore')[0]?.body).toEqual({
      sections: ['hours'],
      version: 4,
    }),
  )
})

test('the preview waits for a pause in typing', async () => {
  const opened = openSettings('contact')
  const { office, person } = opened
  answerPreview(opened, 'contact', [{ key: '/city', before: 'Bengaluru', after: 'Mysuru' }])
  const contact = await form('Address and contacts')
  const city = contact.getByLabelText('City')
  await person.clear(city)
  await person.type(city, 'Mysuru')
  expect(await contact.findByText('City: Mysuru, not Bengaluru')).toBeVisible()
  const previews = office.requests('POST /api/office/settings/contact/preview')
  expect(previews.at(-1)?.body).toEqual({ value: { ...values.contact, city: 'Mysuru' } })
  expect(previews.length).toBeLessThanOrEqual(2)
  await person.click(contact.getByRole('button', { name: 'Discard' }))
  expect(city).toHaveValue('Bengaluru')
})

test('an invalid value is named at its field and at the foot', async () => {
  const { office, person } = openSettings('contact')
  office.fail('POST /api/office/settings/contact/preview', 400, {
    error: 'Please check this value',
    code: 'validation',
    fields: { '/email': 'Please check this value' },
    field_codes: { '/email': 'invalid_value' },
  })
  const contact = await form('Address and contacts')
  await person.type(contact.getByLabelText('E-mail'), '@')
  expect(await contact.findByText('E-mail: Please check this value')).toBeVisible()
  expect(contact.getByLabelText('E-mail')).toBeInvalid()
  expect(contact.getByLabelText('E-mail')).toHaveAccessibleDescription(/Please check this value$/)
})

/** Another admin closes Saturday while this one closes Friday's hours at six. */
async function openConflict() {
  const opened = openSettings('contact')
  const { office, person } = opened
  answerPreview(opened, 'contact', [])
  const contact = await form('Address and contacts')
  await person.type(contact.getByLabelText('City'), ' South')
  office.fail('PUT /api/office/settings/contact', 412, {
    error: 'The record has changed meanwhile.',
    code: 'stale_version',
  })
  const theirs = { ...values.contact, city: 'Mysuru', phone: '080 1' }
  office.answer('GET /api/office/settings', () => settingsOf({ contact: { version: 7, value: theirs } }))
  await person.click(contact.getByRole('button', { name: 'Save' }))
  const alert = await contact.findByRole('alert')
  expect(alert).toHaveTextContent(
    /City Asha Rao changed this meanwhile\. Yours: Bengaluru South\. Theirs: Mysuru\./,
  )
  expect(alert).not.toHaveTextContent('Phone')
  office.mend('PUT /api/office/settings/contact')
  return { ...opened, contact, theirs }
}

test('after a conflict the own changes are saved over the others', async () => {
  const opened = await openConflict()
  const { office, person, contact, theirs } = opened
  answerSave(opened, 'contact', 8)
  await person.click(contact.getByRole('button', { name: 'Save mine' }))
  await screen.findByRole('button', { name: 'Undo: Address and contacts saved' })
  expect(office.requests('PUT /api/office/settings/contact').at(-1)?.body).toEqual({
    value: { ...theirs, city: 'Bengaluru South' },
    version: 7,
  })
  expect(contact.queryByRole('alert')).toBeNull()
})

test('after a conflict the values of the other admin are taken', async () => {
  const { office, person, contact } = await openConflict()
  await person.click(contact.getByRole('button', { name: 'Take theirs' }))
  expect(contact.getByLabelText('City')).toHaveValue('Mysuru')
  expect(contact.queryByRole('alert')).toBeNull()
  expect(office.requests('PUT /api/office/settings/contact')).toHaveLength(1)
})

test('input that is not saved stays while another section is open, and is marked', async () => {
  const opened = openSettings('contact')
  const { person } = opened
  answerPreview(opened, 'contact', [])
  const contact = await form('Address and contacts')
  await person.type(contact.getByLabelText('City'), ' South')
  const list = within(screen.getByRole('navigation', { name: 'Sections of the settings' }))
  await person.click(list.getByRole('link', { name: 'Board' }))
  await form('Board')
  await person.click(list.getByRole('link', { name: 'Address and contacts (not saved)' }))
  expect((await form('Address and contacts')).getByLabelText('City')).toHaveValue('Bengaluru South')
})

/** A change of the city whose save is under way. */
async function openSaving() {
  const opened = openSettings('contact')
  const { office, person } = opened
  answerPreview(opened, 'contact', [])
  answerSave(opened, 'contact', 4)
  const release = office.hold('PUT /api/office/settings/contact')
  const contact = await form('Address and contacts')
  await person.type(contact.getByLabelText('City'), ' South')
  await person.click(contact.getByRole('button', { name: 'Save' }))
  const list = within(screen.getByRole('navigation', { name: 'Sections of the settings' }))
  return { ...opened, contact, release, list }
}

test('what is typed during a save stays, and is saved over the saved value', async () => {
  const opened = await openSaving()
  const { office, person, contact, release } = opened
  await person.type(contact.getByLabelText('Area'), ' East')
  release()
  await screen.findByRole('button', { name: 'Undo: Address and contacts saved' })
  await waitFor(() => expect(contact.getByRole('button', { name: 'Save' })).toBeEnabled())
  expect(contact.queryByRole('alert')).toBeNull()
  expect(contact.getByLabelText('Area')).toHaveValue('Jayanagar East')
  answerSave(opened, 'contact', 5)
  await person.click(contact.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(contact.queryByRole('button', { name: 'Save' })).toBeNull())
  expect(office.requests('PUT /api/office/settings/contact').map(({ body }) => body)).toEqual([
    { value: { ...values.contact, city: 'Bengaluru South' }, version: 3 },
    { value: { ...values.contact, city: 'Bengaluru South', area: 'Jayanagar East' }, version: 4 },
  ])
})

test('a save that ends while another section is open leaves no input behind', async () => {
  const { person, release, list } = await openSaving()
  await person.click(list.getByRole('link', { name: 'Board' }))
  await form('Board')
  expect(list.getByRole('link', { name: 'Address and contacts (not saved)' })).toBeVisible()
  release()
  expect(await list.findByRole('link', { name: 'Address and contacts' })).toBeVisible()
})

test('settings of a file are shown read only, with the command that changes them', async () => {
  openSettings('contact', settingsOf({}, 'file'))
  const contact = await form('Address and contacts')
  expect(
    contact.getByText("These settings are in the office's file. Change them there: baarictl office export."),
  ).toBeVisible()
  for (const field of contact.getAllByRole('textbox')) expect(field).toBeDisabled()
  expect(contact.queryByRole('button', { name: /^Remove|Add a line/ })).toBeNull()
})

test('input from before the settings came from a file cannot be saved', async () => {
  const opened = openSettings('contact')
  const { office, person } = opened
  answerPreview(opened, 'contact', [])
  const contact = await form('Address and contacts')
  await person.type(contact.getByLabelText('City'), ' South')
  expect(contact.getByRole('button', { name: 'Save' })).toBeVisible()
  office.answer('GET /api/office/settings', () => settingsOf({}, 'file'))
  office.send({ type: 'status_update', data: { entity: 'office', entityId: 'office' } })
  await waitFor(() => expect(contact.queryByRole('button', { name: 'Save' })).toBeNull())
  expect(contact.getByLabelText('City')).toHaveValue('Bengaluru')
})

test('a conflict names single settings of the line', async () => {
  const opened = openSettings('line')
  const { office, person } = opened
  answerPreview(opened, 'line', [])
  const line = await form('Line')
  await person.clear(line.getByLabelText('Visitors called first'))
  await person.type(line.getByLabelText('Visitors called first'), '5')
  const { queue } = values.line
  const theirs = { queue: { ...queue, maxBypass: 4, autoRecall: 2 } }
  office.answer('GET /api/office/settings', () => settingsOf({ line: { version: 7, value: theirs } }))
  office.send({ type: 'status_update', data: { entity: 'office', entityId: 'office' } })
  expect(await line.findByRole('alert')).toHaveTextContent(
    /Visitors called first Asha Rao changed this meanwhile\. Yours: 5\. Theirs: 4\./,
  )
  answerSave(opened, 'line', 8)
  await person.click(line.getByRole('button', { name: 'Save mine' }))
  await screen.findByRole('button', { name: 'Undo: Line saved' })
  expect(office.requests('PUT /api/office/settings/line').at(-1)?.body).toEqual({
    value: { queue: { ...queue, maxBypass: 5, autoRecall: 2 } },
    version: 7,
  })
})

test('the versions say who changed the section, when and what, and restore it', async () => {
  const { office, person } = openSettings('board')
  office.answer('GET /api/office/versions', () => ({
    versions: [
      {
        version: 3,
        at: '2026-11-20T04:42:00.000Z',
        by: { id: 'asha', name: 'Asha Rao' },
        sections: ['board'],
        source: 'product',
        restoredFrom: null,
      },
      {
        version: 2,
        at: '2026-11-19T04:42:00.000Z',
        by: { id: 'asha', name: 'Asha Rao' },
        sections: ['hours'],
        source: 'product',
        restoredFrom: null,
      },
      {
        version: 1,
        at: '2026-11-01T04:42:00.000Z',
        by: null,
        sections: ['hours', 'board'],
        source: 'file',
        restoredFrom: null,
      },
    ],
    pagination: { page: 1, limit: 50, total: 3, pages: 1 },
  }))
  office.answer('GET /api/office/versions/3', () => ({
    version: {
      version: 3,
      at: '2026-11-20T04:42:00.000Z',
      by: { id: 'asha', name: 'Asha Rao' },
      sections: ['board'],
      source: 'product',
      restoredFrom: null,
      changes: [{ key: '/board/next', before: 2, after: 0 }],
    },
  }))
  const board = await form('Board')
  await person.click(board.getByRole('button', { name: 'Versions' }))
  const drawer = within(await screen.findByRole('dialog'))
  expect((await drawer.findAllByRole('listitem')).map((item) => item.textContent)).toEqual([
    expect.stringContaining('Asha Rao, 20 Nov 2026, 10:12 AM'),
    expect.stringContaining("The office's file, 1 Nov 2026, 10:12 AM"),
  ])
  await person.click(drawer.getByRole('button', { name: 'What changed in version 3' }))
  expect(await drawer.findByText('Next tokens: 0, not 2')).toBeVisible()
  expect(drawer.queryByRole('button', { name: 'Restore version 3' })).toBeNull()
  office.answer('POST /api/office/versions/1/restore', () => ({
    office: { version: 4, sectionVersion: 4, values: { board: values.board }, effects: [] },
  }))
  await person.click(drawer.getByRole('button', { name: 'Restore version 1' }))
  await screen.findByText('Board restored as of 1 Nov 2026, 10:12 AM')
  expect(office.requests('POST /api/office/versions/1/restore')[0]?.body).toEqual({
    sections: ['board'],
    version: 3,
  })
})

/** The texts of these are edited beside the ones that they translate. */
const translations = ['/certificationTexts', '/notice/translations']

test('every setting of the schema stands in the form of its section, with its explanation', async () => {
  const { person } = openSettings('hours')
  const list = within(await screen.findByRole('navigation', { name: 'Sections of the settings' }))
  const found = new Set<string>()
  for (const link of list.getAllByRole('link')) {
    await person.click(link)
    const section = await screen.findByRole('region', { name: link.textContent })
    for (const [pointer, { title, description }] of Object.entries(settingTexts.setting)) {
      const texts = within(section)
      if (texts.queryAllByText(title).length > 0 && texts.queryAllByText(description).length > 0)
        found.add(pointer)
    }
  }
  const missing = Object.keys(settingTexts.setting).filter((pointer) => !found.has(pointer))
  expect(missing).toEqual(translations)
})
