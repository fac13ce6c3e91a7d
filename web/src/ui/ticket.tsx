import type { ReactNode } from 'react'
import rosette from '@/assets/rosette.svg'
import { fill } from '@/messages'
import { messages } from '@/staff-messages'
import { TokenText } from './token'
import './ticket.css'

type Props = {
  token: string
  also?: string | undefined
  /** Name, service and other texts of the ticket. */
  children: ReactNode
  /** The second figure of the ticket, on the right. */
  aside?: ReactNode
  /** Buttons below the texts. */
  actions?: ReactNode
  /** Whether the ticket slides out of the slot above it. */
  fresh?: boolean
}

/** The most prominent element of a screen: a new token, or the visitor who is next, called or in session. */
export function Ticket({ token, also, children, aside, actions, fresh = false }: Props) {
  return (
    <div className={fresh ? 'ticket-shadow ticket-fresh' : 'ticket-shadow'}>
      <article className="ticket paper" aria-label={fill(messages.visits.tokenOf, { token })}>
        <div className="ticket-stub">
          <img className="ticket-rosette" src={rosette} alt="" />
          <span className="ticket-kicker">{messages.visits.token}</span>
          <span className="ticket-number">
            <TokenText token={token} also={also} />
          </span>
        </div>
        <div className="ticket-body">{children}</div>
        {aside ? <div className="ticket-aside">{aside}</div> : null}
        {actions ? <div className="ticket-actions">{actions}</div> : null}
      </article>
    </div>
  )
}

/** The slot of the printer, drawn over the ticket's upper edge. */
export function TicketSlot() {
  return <div className="ticket-slot" aria-hidden="true" />
}
