import { expect, test } from 'vitest'
import { mine, visitOf } from '@/test/fixtures'
import { choicesOf, filterVisits } from './visitor-filters'

const asha = visitOf(1, { name: 'Asha Kulkarni', phone: '9876543201' })
const meena = visitOf(12, {
  ...mine,
  name: 'मीना शर्मा',
  status: 'approved',
  service: { id: 'gst', name: 'GST' },
})
const visits = [asha, meena]
const found = (search: string, more = {}) => filterVisits(visits, { search, ...more })

test('a search matches parts of token, name or phone in any case, order and script', () => {
  expect(found('t-012')).toEqual([meena])
  expect(found('KULKARNI asha')).toEqual([asha])
  expect(found('43201')).toEqual([asha])
  expect(found('मीना')).toEqual([meena])
  expect(found('  ')).toEqual(visits)
  expect(found('no such visitor')).toEqual([])
})

test.each(['+91 98111 22233', '098111 22233', '98111-22233', "D'Souza", 'D’Souza'])(
  '%s finds D’Souza',
  (typed) => {
    const deSouza = visitOf(4, { name: 'Maria D’Souza', phone: '9811122233' })
    expect(filterVisits([...visits, deSouza], { search: typed })).toEqual([deSouza])
  },
)

test('the filters of status, service and consultant combine', () => {
  expect(found('', { status: 'approved' })).toEqual([meena])
  expect(found('', { service: 'itr' })).toEqual([asha])
  expect(found('', { consultant: mine.assignedConsultantId })).toEqual([meena])
  expect(found('', { status: 'new', service: 'gst' })).toEqual([])
})

test("a filter offers the visits' own values", () => {
  expect(choicesOf(visits, ({ name }) => name)).toEqual({
    services: [
      { value: 'gst', label: 'GST' },
      { value: 'itr', label: 'ITR Filing' },
    ],
    consultants: [{ value: 'consultant-user', label: 'Nandini' }],
  })
})
