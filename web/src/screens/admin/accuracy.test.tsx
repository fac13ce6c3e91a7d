import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { Accuracy, Score } from '@/api/types'
import { openAdmin } from '@/test/open-admin'

const score = (more: Partial<Score> = {}): Score => ({
  service: null,
  hour: null,
  kind: null,
  n: 412,
  censored: 30,
  atOnce: 120,
  mae: 11.96,
  bias: 1.2,
  rmse: 17,
  coverage: 0.812,
  late5: 0.071,
  width: 35.4,
  pinball: { p10: 2, p50: 6, p90: 3 },
  ...more,
})

const few = {
  n: 7,
  mae: null,
  bias: null,
  rmse: null,
  coverage: null,
  late5: null,
  width: null,
  pinball: null,
}

const accuracy: Accuracy = {
  from: '2026-10-21T05:00:00.000Z',
  to: '2026-11-20T05:00:00.000Z',
  total: score(),
  kinds: [score({ kind: 'join' }), score({ kind: 'new', ...few })],
  services: [
    score({ service: { id: 'gst', name: 'GST Registration' } }),
    score({ service: { id: 'itr', name: 'ITR Filing' }, ...few }),
  ],
  hours: [score({ hour: 10 })],
  rivals: [
    { name: 'fixed', mae: 20.6 },
    { name: 'place', mae: 18.5 },
  ],
  calibration: [
    { level: 0.1, share: 0.12 },
    { level: 0.5, share: 0.49 },
    { level: 0.9, share: 0.88 },
  ],
}

function openAccuracy(figures: Accuracy) {
  const opened = openAdmin('analytics&view=accuracy')
  opened.office.answer('GET /api/visits/accuracy', () => ({ accuracy: figures }))
  return opened
}
const panel = (name: string) => screen.findByRole('region', { name })

test('the page has error, coverage, lateness and width, beside simpler forecasts', async () => {
  openAccuracy(accuracy)
  const rivals = await panel('Beside simpler forecasts')
  expect(screen.getByText(/412 visitors waited and were called, 120 were called at once/)).toBeVisible()
  for (const [label, value] of [
    ['Right', '81 %'],
    ['Mean error', '12.0 min'],
    ['Over 5 min late', '7 %'],
    ['Width of the range', '35.4 min'],
  ] as const) {
    expect(screen.getByText(label, { selector: 'dt' }).nextElementSibling).toHaveTextContent(value)
  }
  expect(rivals).toHaveTextContent(/Forecast.*12.0 min.*Always 22 minutes.*20.6 min.*Place.*18.5 min/)
  expect(within(rivals).getByRole('img')).toHaveAccessibleName(
    /Forecast: 12.0 min, Always 22 minutes: 20.6 min/,
  )
})

test('services, hours and moments have their own figures, and none while there is too little history', async () => {
  openAccuracy(accuracy)
  const services = await panel('By service')
  expect(services).toHaveTextContent(/GST Registration.*412.*81 %/)
  expect(within(services).getByRole('row', { name: /ITR Filing/ })).toHaveTextContent(/ITR Filing7-/)
  expect(await panel('By hour')).toHaveTextContent('10 AM')
  expect(await panel('By moment')).toHaveTextContent(/Entered the line.*Token made/)
})

test('the calibration is a plot with a table', async () => {
  openAccuracy(accuracy)
  const plot = await panel('Are the chances right?')
  expect(within(plot).getByRole('img')).toHaveAccessibleName(
    /10 % promised, 12 % seen, 50 % promised, 49 % seen/,
  )
  expect(within(plot).getByRole('row', { name: /90 % 88 %/ })).toBeVisible()
})

test('without enough history there are no plots', async () => {
  openAccuracy({
    ...accuracy,
    total: score(few),
    services: [],
    hours: [],
    calibration: [],
    rivals: [
      { name: 'fixed', mae: null },
      { name: 'place', mae: null },
    ],
  })
  const plot = await panel('Are the chances right?')
  expect(plot).toHaveTextContent('Not enough history yet')
  expect(screen.queryByRole('img', { name: /promised/ })).toBeNull()
})
