import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { StaffAppointment } from '@/api/types'
import { AppointmentsView } from '@/features/appointments/day/appointments-view'
import { servicesQuery } from '@/features/directory/queries'
import { useOffice } from '@/features/office/use-office'
import { desksQuery, lookupQuery } from '@/features/visits/data/queries'

export type CheckIn = { checkIn: (appointment: StaffAppointment) => void; isPending: boolean }

type Props = {
  /** How visits are registered from appointments; undefined for staff who do not register visits. */
  arrivals?: CheckIn | undefined
}

const never = { checkIn: undefined, isPending: false }

/** The appointments with what they need of other features, which do not import each other. */
export function StaffAppointments({ arrivals }: Props) {
  const client = useQueryClient()
  const { languages = [] } = useOffice()
  const services = useQuery(servicesQuery)
  // Reception may not read the list of consultants, but every role reads the desks.
  const desks = useQuery(desksQuery)
  const { checkIn, isPending } = arrivals ?? never
  const nameOf = async (phone: string) => (await client.query(lookupQuery(phone)).catch(() => null))?.name
  return (
    <AppointmentsView
      work={{
        services: services.data?.filter(({ active }) => active) ?? [],
        consultants: desks.data?.map(({ consultantId, name }) => ({ id: consultantId, name })) ?? [],
        languages,
        nameOf,
        checkIn,
        isCheckingIn: isPending,
      }}
    />
  )
}
