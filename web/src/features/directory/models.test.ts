import { expect, test } from 'vitest'
import { consultantOf, isAvailable, serviceOf } from './models'

const ownIcons = [
  'ITR Filing',
  'GST Registration',
  'GST Return Filing',
  'Business Registration',
  'Business Advisory',
  'Trademark Services',
  'Audit Services',
  'Tax Planning',
  'Compliance Services',
  'Bookkeeping',
  'General Consultation',
]

// S3.service.02-05
test('a service has minutes, activity and its id as text', () => {
  expect(serviceOf({ id: 7, name: 'ITR Filing', est_minutes: 30, is_active: 1 })).toMatchObject({
    id: '7',
    description: '',
    estimatedTime: 30,
    active: true,
  })
  expect(serviceOf({ id: 7, name: 'ITR Filing', est_minutes: 30, is_active: 0 }).active).toBe(false)
})

// S3.service.06-08
test('each named service has an icon of its own, any other the file', () => {
  const icons = ownIcons.map((name) => serviceOf({ id: 1, name }).icon)
  expect(new Set(icons).size).toBe(ownIcons.length)
  expect(icons).not.toContain('file')
  expect(serviceOf({ id: 1, name: 'Trust Registration' }).icon).toBe('file')
  expect(serviceOf({ id: 1, name: 'constructor' }).icon).toBe('file')
})

// S3.consultant.02-05
test('a consultant is available when active with an empty queue; missing fields have defaults', () => {
  const consultant = consultantOf({ id: 'k', name: 'Kavita' })
  expect(consultant).toMatchObject({
    specialization: ['General Consultation'],
    currentQueue: 0,
    totalSessions: 0,
  })
  expect(isAvailable(consultant)).toBe(true)
  expect(isAvailable({ ...consultant, currentQueue: 1 })).toBe(false)
  expect(isAvailable({ ...consultant, isActive: false })).toBe(false)
})
