import { Button } from 'antd'
import type { StaffAppointment } from '@/api/types'
import { fill, plural } from '@/messages'
import { messages } from '@/staff-messages'
import { useOfficeTime } from '@/ui/office-time'
import './expected-today.css'

const text = messages.expected

/** The number of requests shown here; the list of all requests has the others. */
const mostShown = 3

type Props = {
  requests: readonly StaffAppointment[]
  onCheckIn: (request: StaffAppointment) => void
  /** Whether a visit is being registered. */
  busy: boolean
  /** Opens the list of all requests. */
  onAll: () => void
}

/** The visitors whose requested appointment is today and who have not come yet, above the queue. */
export function ExpectedToday({ requests, onCheckIn, busy, onAll }: Props) {
  const time = useOfficeTime()
  const rest = requests.length - mostShown
  return (
    <section className="panel expected" aria-label={text.title}>
      <h2>{text.title}</h2>
      <ul aria-label={text.list}>
        {requests.slice(0, mostShown).map((request) => {
          const { id, name, service, preferredTime } = request
          const at = time.timeOf(preferredTime)
          return (
            <li key={id}>
              <b>{at}</b>
              <span className="expected-name">{name}</span>
              <span className="expected-service">{service}</span>
              <Button
                type="primary"
                disabled={busy}
                aria-label={fill(messages.day.checkInOf, { name })}
                onClick={() => onCheckIn(request)}
              >
                {messages.day.checkIn}
              </Button>
            </li>
          )
        })}
      </ul>
      {rest > 0 ? (
        <Button type="link" onClick={onAll}>
          {fill(plural(text.rest, rest), { count: rest })}
        </Button>
      ) : null}
    </section>
  )
}
