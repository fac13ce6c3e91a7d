import { useMutation, useQuery } from '@tanstack/react-query'
import type { NewVisit, StaffAppointment, Visit } from '@/api/types'
import { sendStatus } from '@/features/appointments/mutations'
import { servicesQuery } from '@/features/directory/queries'
import { createVisit } from '@/features/visits/data/mutations'
import { showTicket } from '@/features/visits/data/ticket-port'
import { inBackground } from '@/in-background'
import { messages } from '@/staff-messages'

const registerArrival = {
  ...createVisit,
  // Nothing is kept, unlike a registration of the form.
  meta: { failure: messages.visits.createFailed, unanswered: messages.problems.unreached },
}

/**
 * Registers the visits of appointments of today. A pending one is confirmed without a message first, because only a
 * confirmed one gives the visit its time. `onForm` opens the registration for a service that is not offered any more.
 */
export function useCheckIn(onForm?: (appointment: StaffAppointment) => void) {
  const services = useQuery(servicesQuery)
  const confirm = useMutation(sendStatus)
  const register = useMutation(registerArrival)
  const isPending = confirm.isPending || register.isPending

  const arrive = async (appointment: StaffAppointment): Promise<Visit> => {
    const { status } = appointment
    const { id, version } =
      status === 'pending' ? await confirm.mutateAsync({ ...quiet, appointment }) : appointment
    return register.mutateAsync({ visit: visitOf(appointment), key: `appointment-${id}-${version}` })
  }
  const checkIn = (appointment: StaffAppointment) => {
    if (isPending) return
    const { serviceId } = appointment
    const gone = services.data?.every(({ id, active }) => !active || id !== serviceId)
    if ((gone || serviceId === null) && onForm) onForm(appointment)
    // The mutations show their failures.
    else inBackground(arrive(appointment).then(showTicket, () => undefined))
  }
  return { checkIn, isPending }
}

const quiet = { status: 'confirmed', tell: false } as const

const visitOf = ({
  id,
  name,
  phone,
  serviceId,
  service,
  language,
  messages: allowed,
  source,
}: StaffAppointment) =>
  ({
    name,
    phone,
    serviceId: serviceId ?? service,
    notes: '',
    told_by: source === 'page' ? 'page' : 'slip',
    appointment_id: id,
    ...(language ? { language } : {}),
    ...(allowed ? { messages: true } : {}),
  }) as NewVisit
