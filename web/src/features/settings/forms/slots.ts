import type { Values } from '@/features/settings/data/document'
import { without } from '@/features/settings/data/pointer'

type Appointments = Values['appointments']

/** The value with another number of appointments for one time; null for the usual number. */
export function withMost(whole: Appointments, slot: string, most: number | null): Appointments {
  const others: Record<string, number> = without(whole.appointments.byTime, slot)
  const byTime = most === null ? others : { ...others, [slot]: most }
  return { ...whole, appointments: { ...whole.appointments, byTime } }
}

/** The value with another time at a place, or one more. The number of appointments goes with the time. */
export function withSlot(whole: Appointments, index: number, slot: string): Appointments {
  const before = whole.appointmentSlots[index]
  const most = before === undefined ? undefined : whole.appointments.byTime[before]
  const kept = before === undefined ? whole : withMost(whole, before, null)
  const moved = most === undefined || slot === '' ? kept : withMost(kept, slot, most)
  return { ...moved, appointmentSlots: whole.appointmentSlots.toSpliced(index, 1, slot) }
}

/** The value without a time. */
export function withoutSlot(whole: Appointments, index: number): Appointments {
  const { appointmentSlots: slots } = whole
  return { ...withMost(whole, slots[index] ?? '', null), appointmentSlots: slots.toSpliced(index, 1) }
}
