import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import type { DueDate } from '@/api/types'
import { openAdmin } from '@/test/open-admin'

const entry = (more: Partial<DueDate> = {}): DueDate => ({
  id: 'd1',
  group: 'gst',
  title: 'GSTR-3B, monthly',
  once: null,
  rule: { months: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12], day: 20 },
  moved: null,
  source: 'CGST Rules 2017, rule 61; gst.gov.in',
  checkedOn: '2026-11-25',
  confirmed: false,
  active: true,
  version: 1,
  date: '2026-12-20',
  ...more,
})

const all = [
  entry(),
  entry({ date: '2027-01-20' }),
  entry({
    id: 'd2',
    group: 'income_tax',
    title: 'ITR',
    rule: { months: [7], day: 31 },
    moved: { from: '2027-07-31', to: '2027-09-15' },
    confirmed: true,
    version: 4,
    date: '2027-09-15',
  }),
]

function openCalendar() {
  const opened = openAdmin('office&page=due-dates')
  const { office } = opened
  office.answer('GET /api/due-dates', () => ({ dueDates: all }))
  office.answer('PUT /api/due-dates/d1', () => ({ dueDate: entry({ confirmed: true, version: 2 }) }))
  office.answer('PUT /api/due-dates/d2', () => ({ dueDate: all[2] }))
  office.answer('POST /api/due-dates', () => ({ dueDate: all[0] }))
  return opened
}

test('the calendar has each entry once, with its next day, its source and the day of checking', async () => {
  openCalendar()
  const calendar = await screen.findByRole('group', { name: 'Due dates' })
  const [, first, second, ...more] = within(calendar).getAllByRole('row')
  expect(more).toHaveLength(0)
  expect(first).toHaveTextContent('20 Dec 2026')
  expect(first).toHaveTextContent('GSTR-3B, monthlyDay 20 of every month')
  expect(first).toHaveTextContent('rule 61; gst.gov.in')
  expect(first).toHaveTextContent('25 Nov 2026Not confirmed')
  expect(second).toHaveTextContent('15 Sep 2027Moved from 31 Jul 2027')
  expect(second).toHaveTextContent('Day 31 of Jul')
  expect(second).toHaveTextContent('Confirmed')
})

test('an entry is confirmed as it is, with its version', async () => {
  const { office } = openCalendar()
  await userEvent.click(
    await screen.findByRole('button', { name: 'Confirm GSTR-3B, monthly: checked today' }),
  )
  expect(await screen.findByText('Due date saved')).toBeInTheDocument()
  const [request] = office.requests('PUT /api/due-dates/d1')
  expect(request?.body).toEqual({
    group: 'gst',
    title: 'GSTR-3B, monthly',
    source: 'CGST Rules 2017, rule 61; gst.gov.in',
    moved: null,
    active: true,
    rule: all[0]?.rule,
    version: 1,
  })
})

test('an entry is changed in a dialog, and keeps its move', async () => {
  const { office } = openCalendar()
  await userEvent.click(await screen.findByRole('button', { name: 'Edit ITR' }))
  const dialog = await screen.findByRole('dialog')
  const title = within(dialog).getByLabelText('Title')
  await userEvent.clear(title)
  await userEvent.type(title, 'ITR of salaried persons')
  await userEvent.click(within(dialog).getByRole('button', { name: 'Save' }))
  expect(await screen.findByText('Due date saved')).toBeInTheDocument()
  expect(office.requests('PUT /api/due-dates/d2')[0]?.body).toMatchObject({
    title: 'ITR of salaried persons',
    group: 'income_tax',
    rule: { months: [7], day: 31 },
    moved: { from: '2027-07-31', to: '2027-09-15' },
    version: 4,
  })
})

test('a new entry needs a title, a date and a source', async () => {
  const { office } = openCalendar()
  await userEvent.click(await screen.findByRole('button', { name: 'Add due date' }))
  const dialog = await screen.findByRole('dialog')
  await userEvent.click(within(dialog).getByRole('button', { name: 'Save' }))
  for (const words of ['Title is required', 'Date is required', 'Source is required']) {
    expect(await within(dialog).findByText(words)).toBeInTheDocument()
  }
  expect(office.requests('POST /api/due-dates')).toHaveLength(0)
})

test('a calendar that does not load can be loaded again', async () => {
  const { office } = openAdmin('office&page=due-dates')
  office.fail('GET /api/due-dates')
  expect(await screen.findByText('Failed to load the due dates')).toBeInTheDocument()
})

test('expected arrivals are drawn and listed by day, with what is due, and drawn by hour of a day', async () => {
  const { office, person } = openCalendar()
  const visitors = (mean: number) => ({ mean, from: mean - 5, to: mean + 6 })
  const day = (date: string, mean: number) => ({
    date,
    closed: false,
    due: [],
    visitors: visitors(mean),
    hours: [
      { hour: 10, visitors: { mean: 4.2, from: 1, to: 8 } },
      { hour: 15, visitors: { mean: mean - 4.2, from: 3, to: 30 } },
    ],
  })
  office.answer('GET /api/visits/demand', () => ({
    demand: {
      history: 120,
      early: false,
      days: [
        day('2026-12-19', 21),
        { date: '2026-12-20', closed: true, due: ['gst'], visitors: null, hours: [] },
        day('2026-12-21', 34),
        { date: '2026-12-22', closed: false, due: [], visitors: null, hours: [] },
      ],
    },
  }))
  const list = await screen.findByRole('group', { name: 'Expected arrivals' })
  expect(screen.getByText(/^Visitors of the next 14 days, learned from 120 days/)).toBeVisible()
  await within(list).findByText('GSTR-3B, monthly')
  const rows = within(list).getAllByRole('row').slice(1)
  expect(rows.map(({ textContent }) => textContent)).toEqual([
    'Saturday, 19 Dec2116 to 27-',
    'Sunday, 20 Dec-ClosedGSTR-3B, monthly',
    'Monday, 21 Dec3429 to 40-',
    'Tuesday, 22 Dec-No history-',
  ])
  expect(
    screen.getByRole('img', { name: 'Expected visitors: 19 Dec: 16 to 27, 21 Dec: 29 to 40' }),
  ).toBeVisible()
  expect(screen.getByRole('img', { name: 'Expected visitors: 10 AM: 1 to 8, 3 PM: 3 to 30' })).toBeVisible()
  await person.click(screen.getByRole('combobox', { name: 'By hour' }))
  expect(await screen.findByTitle('Monday, 21 Dec')).toBeInTheDocument()
})

test('the banner has what is due by day, without entries that are switched off', async () => {
  const { office } = openAdmin()
  office.clock.now = () => new Date('2026-12-10T05:00:00Z')
  const soon = (title: string, date: string, active = true) => entry({ id: title, title, date, active })
  office.answer('GET /api/due-dates', () => ({
    dueDates: [
      soon('GSTR-7', '2026-12-10'),
      soon('GSTR-1', '2026-12-11'),
      soon('GSTR-5', '2026-12-13'),
      soon('IFF', '2026-12-13'),
      soon('Old', '2026-12-13', false),
    ],
  }))
  const banner = await screen.findByRole('complementary', { name: 'Due soon' })
  expect(
    within(banner)
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent),
  ).toEqual(['Today GSTR-7', '11 Dec GSTR-1', '13 Dec GSTR-5, IFF'])
  expect(office.requests('GET /api/due-dates')[0]?.query.get('days')).toBe('3')
})
