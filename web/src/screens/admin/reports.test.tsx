import { act, screen, waitFor, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import type { Comparison, Span } from '@/api/types'
import { openAdmin } from '@/test/open-admin'

const waits = (p50: number | null = 12, visits = 40) => ({
  visits,
  p50,
  p80: p50 && p50 + 10,
  p95: p50 && p50 + 30,
  over_30: visits / 4,
})

const span = (more: Partial<Span> = {}): Span => ({
  start: '2026-11-14',
  end: '2026-11-20',
  outcomes: { total: 60, completed: 48, denied: 6, left: 3, no_show: 2, cancelled: 1 },
  waits: waits(),
  arrivals: Array.from({ length: 7 }, (_, day) =>
    Array.from({ length: 24 }, (__, hour) => (hour === 10 ? day : 0)),
  ),
  services: [
    { id: 'gst', name: 'GST Registration', visits: 40, sessions: 30, session_minutes: 1500, waits: waits() },
  ],
  hours: [{ hour: 10, waits: waits() }],
  consultants: [{ id: 'zoya', name: 'Zoya', visits: 40, sessions: 30, session_minutes: 1500 }],
  ...more,
})

const before = span({
  start: '2026-11-07',
  end: '2026-11-13',
  outcomes: { total: 50, completed: 45, denied: 5, left: 0, no_show: 0, cancelled: 0 },
  hours: [],
  services: [],
  consultants: [],
})

const entry = {
  token: 'T-001',
  name: 'A*** K***',
  service: 'GST Registration',
  consultant: 'Zoya',
  stage: 'completed',
  arrivedAt: '2026-11-20T04:30:00.000Z',
  calledAt: null,
  startedAt: '2026-11-20T04:45:00.000Z',
  completedAt: null,
}

function openReports(comparison: Comparison = { period: span(), before }) {
  const opened = openAdmin('analytics&view=reports&from=2026-11-14&to=2026-11-20')
  opened.office.answer('GET /api/analytics/period', () => comparison)
  opened.office.answer('GET /api/analytics/register', () => ({ day: '2026-11-20', entries: [entry] }))
  return opened
}

const rowOf = async (panel: string, name: RegExp) =>
  within(await screen.findByRole('region', { name: panel })).getByRole('row', { name })

test('figures and register have skeletons while they load', async () => {
  const { office } = openAdmin('analytics&view=reports')
  office.hold('GET /api/analytics/period')
  office.hold('GET /api/analytics/register')
  for (const name of ['Reports', 'Visitor register']) {
    const panel = await screen.findByRole('region', { name })
    expect(panel.querySelector('.skeleton'), name).not.toBeNull()
  }
})

test('a period has its figures beside those of the period before, as tables', async () => {
  const { office } = openReports()
  expect(await rowOf('Wait by hour of arrival', /10 AM/)).toHaveTextContent(/10 AM40122242-/)
  expect(await rowOf('Wait by service', /GST/)).toHaveTextContent(/GST Registration40122242-25%/)
  expect(await rowOf('Session length and estimate', /GST/)).toHaveTextContent(/GST Registration5045-/)
  expect(await rowOf('Visits by consultant', /Zoya/)).toHaveTextContent(/Zoya40025\.0/)
  expect(await rowOf('Outcomes', /Left/)).toHaveTextContent(/Left30/)
  expect(await rowOf('Arrivals by weekday and hour', /Wednesday/)).toHaveTextContent('Wednesday2')
  expect(screen.getByText('Waited over 30 minutes', { selector: 'dt' }).nextElementSibling).toHaveTextContent(
    '25%before: 25%',
  )
  expect(office.requests('GET /api/analytics/period')[0]?.query.toString()).toBe(
    'start_date=2026-11-14&end_date=2026-11-20',
  )
})

test('a chart is saved as a file with the numbers of its table', async () => {
  const saved: string[] = []
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    saved.push(this.download)
  })
  URL.createObjectURL = () => 'blob:file'
  URL.revokeObjectURL = () => undefined
  const { person } = openReports()
  await person.click(await screen.findByRole('button', { name: 'Wait by service as CSV' }))
  expect(saved).toEqual(['wait_by_service_2026-11-14_2026-11-20.csv'])
})

test('the arrivals by weekday and hour are saved with all their numbers', async () => {
  const files: Blob[] = []
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined)
  URL.createObjectURL = (file: Blob) => `blob:${files.push(file)}`
  URL.revokeObjectURL = () => undefined
  const { person } = openReports()
  await person.click(await screen.findByRole('button', { name: 'Arrivals by weekday and hour as CSV' }))
  const lines = (await files[0]?.text())?.trim().split('\r\n')
  expect(lines).toHaveLength(8)
  expect(lines?.[0]).toMatch(/"Day","10 AM"$/)
  expect(lines?.[3]).toBe('"Wednesday","2"')
})

test('the register of a day has masked names, and is printed alone', async () => {
  const { person } = openReports()
  const printed = vi.fn(() => document.querySelector('.printed')?.textContent)
  vi.stubGlobal('print', printed)
  expect(await screen.findByRole('row', { name: /T-001/ })).toHaveTextContent(
    /T-00110:00 AMA\*\*\* K\*\*\*GST RegistrationZoya10:15 AM-/,
  )
  await person.click(screen.getByRole('button', { name: 'Print register' }))
  expect(printed.mock.results[0]?.value).toContain('T-001')
  expect(printed.mock.results[0]?.value).not.toContain('Wait by service')
  expect(document.querySelector('.printed')).toBeNull()
  vi.unstubAllGlobals()
})

test('a long register is printed with all its rows', async () => {
  const entries = Array.from({ length: 70 }, (_, index) => ({ ...entry, token: `T-${index + 101}` }))
  const { office } = openReports()
  office.answer('GET /api/analytics/register', () => ({ day: '2026-11-20', entries }))
  await screen.findByRole('row', { name: /T-101/ })
  expect(screen.queryByRole('row', { name: /T-170/ })).toBeNull()
  act(() => void dispatchEvent(new Event('beforeprint')))
  expect(screen.getByRole('row', { name: /T-170/ })).toBeInTheDocument()
})

test('a period without visits says so, and a failed one can be loaded again', async () => {
  const empty = span({ hours: [], services: [], consultants: [], waits: waits(null, 0) })
  openReports({ period: empty, before })
  await waitFor(() => expect(screen.getAllByText('No visits in this period')).toHaveLength(4))
})

test('a report that fails to load can be loaded again', async () => {
  const { office } = openReports()
  office.fail('GET /api/analytics/period')
  expect(await screen.findByRole('button', { name: 'Try again' })).toBeVisible()
})
