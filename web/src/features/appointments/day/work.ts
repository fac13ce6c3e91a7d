import type { AppointmentStatus, StaffAppointment } from '@/api/types'
import type { Language } from '@/locales/languages'
import type { VisitStatus } from '@/theme/palette'

/** What a screen lends to the appointments, which know neither accounts nor visits. */
export type Work = {
  services: readonly { id: string; name: string }[]
  consultants: readonly { id: string; name: string }[]
  languages: readonly Language[]
  /** The name of an earlier visitor with this phone number. */
  nameOf: (phone: string) => Promise<string | undefined>
  /** Registers the visit of an appointment of today; undefined on screens that do not register visits. */
  checkIn: ((appointment: StaffAppointment) => void) | undefined
  isCheckingIn: boolean
}

/** For each status, the status of a visit that has the same colour. */
export const colours: Record<AppointmentStatus, VisitStatus> = {
  pending: 'new',
  confirmed: 'approved',
  arrived: 'in-session',
  done: 'completed',
  'no-show': 'denied',
  cancelled: 'denied',
  declined: 'denied',
}

export const isOpen = ({ status }: Pick<StaffAppointment, 'status'>) =>
  status === 'pending' || status === 'confirmed'

export type Action =
  'confirm' | 'confirmQuiet' | 'move' | 'cancel' | 'noShow' | 'done' | 'decline' | 'correct' | 'link'

/** The actions that the menu of a row offers, in its order. */
export function actionsOf(appointment: StaffAppointment, today: string): Action[] {
  const { status, preferredDate } = appointment
  if (!isOpen(appointment)) return status === 'arrived' ? ['link'] : []
  return [
    ...(status === 'pending' ? (['confirmQuiet'] as const) : []),
    'move',
    'correct',
    ...(status === 'confirmed' && preferredDate <= today ? (['noShow'] as const) : []),
    'done',
    'link',
    ...(status === 'pending' ? (['decline'] as const) : (['decline', 'cancel'] as const)),
  ]
}

/** The action of the row's button. A confirmed appointment of another day has none. */
export function mainOf(appointment: StaffAppointment, today: string): 'checkIn' | 'confirm' | undefined {
  const { status, preferredDate } = appointment
  if (status === 'pending') return 'confirm'
  return status === 'confirmed' && preferredDate === today ? 'checkIn' : undefined
}

/** The day that is some days after another. */
export function dayAfter(day: string, days: number): string {
  const date = new Date(`${day}T00:00:00Z`)
  date.setUTCDate(date.getUTCDate() + days)
  return date.toISOString().slice(0, 'YYYY-MM-DD'.length)
}
