import { screen } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { clearShelf } from '@/shelf'
import { userOf } from '@/test/fixtures'
import { answerPreview, answerSave, form, openSettings } from '@/test/open-settings'
import { settingsOf, values } from '@/test/settings'

beforeEach(clearShelf)

/** Another admin changes the city while this one does. */
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
  expect(await contact.findByRole('alert')).toHaveTextContent(
    /^Another administrator changed this meanwhile\.$/,
  )
  const differences = contact.getByRole('group', { name: 'This changes' })
  expect(differences).toHaveTextContent(
    /City Asha Rao changed this meanwhile\. Yours: Bengaluru South\. Theirs: Mysuru\./,
  )
  expect(differences).not.toHaveTextContent('Phone')
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

test('an own change in another window is not called that of another admin', async () => {
  const opened = openSettings('contact')
  const { office, person } = opened
  answerPreview(opened, 'contact', [])
  const contact = await form('Address and contacts')
  await person.type(contact.getByLabelText('City'), ' South')
  const theirs = { ...values.contact, city: 'Mysuru' }
  const answer = settingsOf({ contact: { version: 7, value: theirs } })
  answer.office.sections.contact.changedBy = { id: userOf('admin').id, name: 'Anand' }
  office.answer('GET /api/office/settings', () => answer)
  office.send({ type: 'status_update', data: { entity: 'office', entityId: 'office' } })
  expect(await contact.findByRole('alert')).toHaveTextContent(
    'You have changed this in another window meanwhile.',
  )
  expect(contact.getByText('Here: Bengaluru South. Saved: Mysuru.')).toBeVisible()
  await person.click(contact.getByRole('button', { name: 'Take the saved ones' }))
  expect(contact.getByLabelText('City')).toHaveValue('Mysuru')
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
  await line.findByRole('alert')
  expect(line.getByRole('group', { name: 'This changes' })).toHaveTextContent(
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
