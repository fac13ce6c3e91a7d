import type { Visit } from '@/api/types'
import { fill, messages } from '@/messages'
import { useOfficeTime } from '@/ui/office-time'
import { PhoneNumber } from '@/ui/phone-number'
import { StatusTag } from '@/ui/status-tag'
import { Ticket, TicketSlot } from '@/ui/ticket'
import { serviceName } from './visit'
import './issued-ticket.css'

type Props = { visit: Visit | null; minutes: number | undefined }

/** The ticket of the token just made, printed from its slot and read aloud. */
export function IssuedTicket({ visit, minutes }: Props) {
  const time = useOfficeTime()
  return (
    <>
      <p className="visually-hidden" aria-live="polite">
        {visit ? fill(messages.visits.form.announced, { token: visit.token, name: visit.name }) : null}
      </p>
      {visit ? (
        <div className="issued-ticket">
          <TicketSlot />
          <Ticket
            key={visit.id}
            fresh
            token={visit.token}
            aside={
              <>
                <StatusTag status={visit.status} />
                <span>{time.time(visit.createdAt)}</span>
              </>
            }
          >
            <h3>{visit.name}</h3>
            <p>
              {serviceName(visit)}
              {minutes ? `, ${fill(messages.visits.minutes, { minutes })}` : null}
            </p>
            <p>
              <PhoneNumber phone={visit.phone} />
            </p>
          </Ticket>
        </div>
      ) : null}
    </>
  )
}
