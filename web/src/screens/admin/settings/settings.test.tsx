import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import settingTexts from '@/locales/en/settings.json'
import { clearShelf } from '@/shelf'
import { answerPreview, answerSave, form, openSettings } from '@/test/open-settings'
import { settingsOf, values } from '@/test/settings'

beforeEach(clearShelf)

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
  expect(hours.getByText('Asha Kulkarni, 28 Nov 2026, 10:00 AM')).toBeVisible()
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
  expect(contact.getByRole('heading', { name: 'Address and contacts' })).toHaveFocus()
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

test('the errors of a holiday, also of its name in another language, stand at their fields', async () => {
  const day = { month: 1, day: 26, name: 'Republic Day', texts: { hi: 'गणतंत्र दिवस' } }
  const { office, person } = openSettings(
    'hours',
    settingsOf({ hours: { version: 3, value: { ...values.hours, yearly: [day] } } }),
  )
  office.fail('POST /api/office/settings/hours/preview', 400, {
    error: 'Please check this value',
    code: 'validation',
    fields: { '/yearly/0/month': 'No such day', '/yearly/0/texts/hi': 'Too long', '/hours/0/days': 'No day' },
  })
  const hours = await form('Opening hours')
  const name = hours.getByLabelText('26 January Republic Day, Name')
  await person.type(name, '!')
  const hindi = await hours.findByLabelText('Republic Day!, हिन्दी')
  expect(hindi).toHaveAccessibleDescription('Too long')
  expect(hours.getByLabelText('26 January Republic Day!, Month')).toHaveAccessibleDescription('No such day')
  expect(hours.getByLabelText('Hours of the week 1, Days')).toHaveAccessibleDescription('No day')
  expect(name).toBeValid()
})

test('the focus stays near a button that goes or is disabled', async () => {
  const opened = openSettings('contact')
  const { person } = opened
  answerPreview(opened, 'contact', [])
  answerPreview(opened, 'languages', [])
  const contact = await form('Address and contacts')
  await person.click(contact.getByRole('button', { name: 'Remove Landmarks 2' }))
  const landmarks = within(contact.getByRole('group', { name: 'Landmarks' }))
  expect(landmarks.getByRole('button', { name: 'Add a line' })).toHaveFocus()
  const list = within(screen.getByRole('navigation', { name: 'Sections of the settings' }))
  await person.click(list.getByRole('link', { name: 'Languages' }))
  const languages = await form('Languages')
  await person.click(languages.getByRole('button', { name: 'Move हिन्दी up' }))
  expect(languages.getByRole('button', { name: 'Move हिन्दी down' })).toHaveFocus()
})

test('a version that is restored without a change is saved, and is no change to undo', async () => {
  const { office, person } = openSettings('board')
  office.answer('GET /api/office/versions', () => ({
    versions: [
      {
        version: 1,
        at: '2026-11-01T04:42:00.000Z',
        by: null,
        sections: ['board'],
        source: 'file',
        restoredFrom: null,
      },
    ],
    pagination: { page: 1, limit: 50, total: 1, pages: 1 },
  }))
  office.answer('POST /api/office/versions/1/restore', () => ({
    office: { version: 3, sectionVersion: 3, values: { board: values.board }, effects: [] },
  }))
  const board = await form('Board')
  await person.click(board.getByRole('button', { name: 'Versions' }))
  await person.click(await screen.findByRole('button', { name: 'Restore this: version 1' }))
  expect(await screen.findByText('Board saved')).toBeInTheDocument()
  expect(screen.queryByRole('button', { name: /^Undo/ })).toBeNull()
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
  expect(drawer.queryByRole('button', { name: 'Restore this: version 3' })).toBeNull()
  office.answer('POST /api/office/versions/1/restore', () => ({
    office: { version: 4, sectionVersion: 4, values: { board: values.board }, effects: [] },
  }))
  await person.click(drawer.getByRole('button', { name: 'Restore this: version 1' }))
  await screen.findByText('Board restored as of 1 Nov 2026, 10:12 AM')
  expect(office.requests('POST /api/office/versions/1/restore')[0]?.body).toEqual({
    sections: ['board'],
    version: 3,
  })
})

test('the numbers of appointments, the reminders and the names in calendars are saved', async () => {
  const opened = openSettings('appointments')
  const { office, person } = opened
  answerPreview(
    opened,
    'appointments',
    [{ key: '/appointments/perSlot', before: 4, after: 2 }],
    [{ code: 'appointments_over', count: 3, first: [] }],
  )
  answerSave(opened, 'appointments', 4)
  const appointments = await form('Appointments')
  const type = async (label: string, text: string) => {
    const field = appointments.getByLabelText(label)
    await person.clear(field)
    if (text !== '') await person.type(field, text)
  }
  const { setting } = settingTexts
  await type(setting['/appointments/perSlot'].title, '2')
  const ofTime = (time: string) => `${setting['/appointments/byTime'].title} ${time}`
  expect(appointments.getByLabelText(ofTime('09:00'))).toHaveAttribute('placeholder', '2')
  await type(ofTime('10:00'), '1')
  await type(setting['/appointments/changeUntilMinutes'].title, '60')
  await type(setting['/appointments/remindMinutesBefore'].title, '0')
  await person.click(
    appointments.getByRole('switch', { name: setting['/appointments/remindDayBefore'].title }),
  )
  await person.click(appointments.getByRole('radio', { name: 'With the first name' }))
  expect(await appointments.findByText('3 appointments more than the new capacity stay')).toBeVisible()
  await person.click(appointments.getByRole('button', { name: 'Save' }))
  await screen.findByRole('button', { name: 'Undo: Appointments saved' })
  const value = {
    ...values.appointments,
    appointments: {
      ...values.appointments.appointments,
      perSlot: 2,
      byTime: { '10:00': 1 },
      changeUntilMinutes: 60,
      remindDayBefore: false,
      remindMinutesBefore: 0,
      feedNames: 'first',
    },
  }
  expect(office.requests('PUT /api/office/settings/appointments')[0]?.body).toEqual({ value, version: 3 })
})

test('a time whose number is emptied has the usual number again', async () => {
  const value = {
    ...values.appointments,
    appointments: { ...values.appointments.appointments, byTime: { '09:00': 1 } },
  }
  const opened = openSettings('appointments', settingsOf({ appointments: { version: 3, value } }))
  const { office, person } = opened
  answerPreview(opened, 'appointments', [])
  const appointments = await form('Appointments')
  await person.clear(
    appointments.getByLabelText(`${settingTexts.setting['/appointments/byTime'].title} 09:00`),
  )
  await waitFor(() =>
    expect(office.requests('POST /api/office/settings/appointments/preview').at(-1)?.body).toEqual({
      value: values.appointments,
    }),
  )
})

/** The texts of these are edited beside the ones that they translate. */
const translations = ['/certificationTexts', '/notice/translations']

test('every setting of the schema is in the form of its section, with its explanation', async () => {
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
  expect(missing.toSorted()).toEqual(translations)
})
