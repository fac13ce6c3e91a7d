import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { Language } from '@/locales/languages'
import { messages } from '@/messages'
import { LanguageMenu } from './language-menu'
import { Logo } from './mark'
import { VerticalTicket } from './vertical-ticket'
import './cloth.css'
import './split-page.css'

type Props = {
  office: { brand: string; area: string; languages?: Language[] }
  title: string
  subtitle: string
  /** Above the title. */
  before?: ReactNode
  children: ReactNode
}

const ticket = messages.signIn

/** The layout of sign-in and of similar pages: a coloured area with a ticket on the left, the form on the right. */
export function SplitPage({ office, title, subtitle, before, children }: Props) {
  return (
    <div className="split-page">
      <aside className="split-cloth cloth">
        <div className="cloth-stitch" />
        <Link to="/" className="split-logo">
          <Logo size={44} />
        </Link>
        <div className="split-ticket">
          <VerticalTicket
            token="T-001"
            kicker={ticket.ticketKicker}
            line={ticket.ticketLine}
            aside={ticket.ticketAside}
          />
        </div>
        <p className="split-office">
          {office.brand}
          <br />
          {office.area}
        </p>
      </aside>
      <main className="split-main">
        <LanguageMenu offered={office.languages} />
        <div className="split-form">
          {before}
          <h1>{title}</h1>
          <p className="split-subtitle">{subtitle}</p>
          {children}
        </div>
      </main>
    </div>
  )
}
