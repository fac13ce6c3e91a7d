import type { ReactNode } from 'react'
import { VerticalTicket } from './vertical-ticket'
import './state-screen.css'

type Props = {
  title: string
  text?: string
  /** The texts of the tilted ticket. */
  ticket: { token: string; line: string; aside: string }
  kicker: string
  action?: ReactNode
  /** Whether the screen is announced, because it appears without an action of the user. */
  live?: boolean
}

/** The layout of every state that fills the window: a ticket, a title, and optionally a sentence and a button. */
export function StateScreen({ title, text, ticket, kicker, action, live = false }: Props) {
  return (
    <main className="state-screen" id="content">
      <div className="state-inner" role={live ? 'status' : undefined}>
        <div className="state-ticket">
          <VerticalTicket {...ticket} kicker={kicker} short />
        </div>
        <h1>{title}</h1>
        {text ? <p>{text}</p> : null}
        {action}
      </div>
    </main>
  )
}
