import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { userOf } from '@/test/fixtures'
import { openOffice } from '@/test/office'
import { consultants } from '@/test/open-admin'
import { renderApp } from '@/test/render-app'

const tally = (total: number) => ({
  total_visits: total,
  new_visits: 0,
  approved_visits: 1,
  in_session_visits: 0,
  completed_visits: total - 1,
  denied_visits: 0,
  avg_wait_minutes: 13,
  longest_wait_minutes: 25,
  avg_session_minutes: 30.3,
  longest_session_minutes: 41,
})

test("a consultant's page has counts and times of the period in its address", async () => {
  const office = openOffice({ user: userOf('admin'), consultants })
  const call = 'GET /api/analytics/consultants/zoya'
  office.answer(call, () => ({
    period: { start: '2026-11-01', end: '2026-11-20' },
    totals: tally(5),
    days: [{ day: '2026-11-10', ...tally(5) }],
    partners: [{ id: 'itr', name: 'ITR Filing', ...tally(5) }],
  }))
  const { person, router } = renderApp('/dashboard/admin/consultants/zoya?from=2026-11-01&to=2026-11-20')
  expect(await screen.findByRole('heading', { name: 'Zoya' })).toBeVisible()
  const figure = (label: string) => screen.getByText(label, { selector: 'dt' }).nextElementSibling
  expect(await screen.findByText('1 waiting for the session')).toBeVisible()
  expect(figure('Visits')).toHaveTextContent(/^5$/)
  expect(figure('Average wait')).toHaveTextContent(/^13minlongest 25 min$/)
  expect(figure('Average session')).toHaveTextContent(/^30minlongest 41 min$/)
  expect(screen.getByRole('img', { name: 'Visits by day. 10 Nov 2026: 5, 4 completed' })).toBeVisible()
  expect(office.requests(call)[0]?.query.toString()).toBe('start_date=2026-11-01&end_date=2026-11-20')

  await person.click(screen.getByRole('button', { name: '30 days' }))
  await waitFor(() => expect(router.state.location.search).toBe('?days=30'))
  expect(screen.getByRole('link', { name: 'ITR Filing' })).toHaveAttribute(
    'href',
    '/dashboard/admin/services/itr?days=30',
  )
})

test('only an admin opens the figures', async () => {
  openOffice({ user: userOf('pa') })
  const { path } = renderApp('/dashboard/admin/services/itr')
  await waitFor(() => expect(path()).toBe('/dashboard/pa'))
})
