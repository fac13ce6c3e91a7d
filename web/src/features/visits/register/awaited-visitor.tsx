import { Button } from 'antd'
import type { Appointment } from '@/api/types'
import { fill } from '@/messages'
import { messages } from '@/staff-messages'
import { useOfficeTime } from '@/ui/office-time'

const text = messages.expected

type Props = {
  /** Today's request with the phone number of the form. */
  request: Appointment
  onUse: (request: Appointment) => void
}

/** Shows that the visitor has an appointment today, and can fill the form with it. */
export function AwaitedVisitor({ request, onUse }: Props) {
  const time = useOfficeTime()
  const { name, service, preferredTime } = request
  return (
    <>
      <p>{fill(text.match, { name, service, time: time.timeOf(preferredTime) })}</p>
      <Button size="small" onClick={() => onUse(request)}>
        {text.useRequest}
      </Button>
    </>
  )
}
