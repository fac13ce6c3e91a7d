import { render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { Forecast } from '@/api/types'
import { OfficeTimeProvider } from '@/ui/office-time'
import { Range } from './range'

const forecast = {
  from: '2026-11-20T13:25:00Z',
  to: '2026-11-20T13:35:00Z',
  early: true,
  note: 'may_not_be_today',
} as Forecast

const show = (narrow: boolean) =>
  render(
    <OfficeTimeProvider timeZone="Asia/Kolkata">
      <Range of={{ forecast }} brief narrow={narrow} />
    </OfficeTimeProvider>,
  )

test('in a narrow row both notes of a range are at its underline, so that they add no line', () => {
  show(true)
  expect(screen.getByTitle('first estimate, little history; It may not be today')).toBeVisible()
  expect(screen.queryByText('It may not be today')).toBeNull()
})

test('elsewhere the note about today stands beside the range', () => {
  show(false)
  expect(screen.getByTitle('first estimate, little history')).toBeVisible()
  expect(screen.getByText('It may not be today')).toBeVisible()
})
