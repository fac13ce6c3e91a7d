import { expect, test } from 'vitest'
import { withoutSlot, withSlot } from './slots'

const value = {
  appointmentSlots: ['09:00', '10:00'],
  features: { appointments: 'live' as const },
  appointments: {
    perSlot: 4,
    byTime: { '10:00': 2 },
    daysAhead: 365,
    leadMinutes: 0,
    changeUntilMinutes: 120,
    remindDayBefore: true,
    remindMinutesBefore: 120,
    feedNames: 'none' as const,
  },
}

test('a time that changes or goes takes its number along', () => {
  const changed = withSlot(value, 1, '10:30')
  expect(changed.appointmentSlots).toEqual(['09:00', '10:30'])
  expect(changed.appointments.byTime).toEqual({ '10:30': 2 })
  expect(withoutSlot(value, 1)).toEqual({
    ...value,
    appointmentSlots: ['09:00'],
    appointments: { ...value.appointments, byTime: {} },
  })
})

test('a new time is the last one', () => {
  expect(withSlot(value, 2, '16:00').appointmentSlots).toEqual(['09:00', '10:00', '16:00'])
})
