import { screen, within, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { forecastOf, lineOf, queueOf, userOf, visitOf } from '@/test/fixtures'
import { openOffice } from '@/test/office'
import { renderApp } from '@/test/render-app'

const waits = (number: number, more: Parameters<typeof forecastOf>[0] = {}) =>
  visitOf(number, { status: 'approved', queue: queueOf('waiting', { forecast: forecastOf(more) }) })

function openDesk(visits: ReturnType<typeof waits>[], line = lineOf({})) {
  openOffice({ user: userOf('reception'), visits, line })
  return renderApp('/dashboard/receptionist')
}
const rowOf = async (token: string) => {
  const list = await screen.findByRole('group', { name: 'Current Queue Status' })
  const row = within(list)
    .getAllByRole('listitem')
    .find((one) => one.textContent.includes(token))
  if (!row) throw new Error(`the queue has no row of ${token}`)
  return row
}

test('a row shows the range, a first estimate says so, and without a desk there is none', async () => {
  openDesk([
    waits(14),
    waits(15, { early: true }),
    waits(16, { from: null, to: null, likely: null, note: 'nobody_at_desk', early: true }),
    waits(17, { note: 'may_not_be_today' }),
  ])
  expect(await rowOf('T-014')).toHaveTextContent(/About 10:40 to 11:05/)
  expect(await rowOf('T-014')).not.toHaveTextContent('first estimate')
  expect(await rowOf('T-015')).toHaveTextContent(/About 10:40 to 11:05.*first estimate, little history/)
  expect(await rowOf('T-016')).toHaveTextContent('No consultant at a desk')
  expect(await rowOf('T-016')).not.toHaveTextContent('who could call')
  expect(await rowOf('T-016')).not.toHaveTextContent('About')
  expect(await rowOf('T-017')).toHaveTextContent('It may not be today')
})

test('the ranges stand above how often they were right', async () => {
  openDesk([waits(14)], lineOf({ accuracy: { coverage: 0.812, n: 412 } }))
  expect(
    await screen.findByText('Ranges were right 81 % of the time, last 30 days (412 visitors)'),
  ).toBeVisible()
})

test('without enough history the screen says so', async () => {
  openDesk([waits(14)], lineOf({ accuracy: null }))
  expect(await screen.findByText('Not enough history yet')).toBeVisible()
})

test('the ticket and the slip have the range, and reception is warned that it may not be today', async () => {
  const { person } = openDesk([waits(14, { note: 'may_not_be_today' })])
  const row = await rowOf('T-014')
  await person.click(within(row).getByRole('button', { name: 'Show T-014 again' }))
  expect(await screen.findByText(/^T-014 may not be called before the office closes today/)).toBeVisible()
  await waitFor(() =>
    expect(document.querySelector('.issued-ticket')).toHaveTextContent('About 10:40 to 11:05'),
  )
  await waitFor(() => expect(document.querySelector('.token-slip')).toHaveTextContent('About 10:40 to 11:05'))
})
