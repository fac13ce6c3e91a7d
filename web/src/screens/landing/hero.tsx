import { Link } from 'react-router'
import type { Office } from '@/api/office'
import { fill, locale, messages } from '@/messages'
import { Icon } from '@/ui/icon'
import { serviceNameIn } from '@/ui/office-words'
import { VerticalTicket } from '@/ui/vertical-ticket'
import './hero.css'

const text = messages.landing

/** The top of the page, drawn as the front cover of the account book: headline, introduction, and two tickets. */
export function Hero({ office }: { office: Office }) {
  return (
    <section className="ld-hero cloth">
      <div className="cloth-stitch" />
      <div className="ld-hero-in">
        <div className="ld-hero-words">
          <h1>
            {text.headline.map((sentence) => (
              <span key={sentence}>{sentence} </span>
            ))}
          </h1>
          <p>
            {fill(text.lead, { city: office.city })} {text.leadHow}
          </p>
          <div className="ld-hero-actions">
            <a className="ld-button ld-button-paper" href="#book">
              {text.book}
            </a>
            <Link className="ld-button ld-button-line" to="/dashboard" state={{ visiting: true }}>
              {text.walkIn}
              <Icon name="arrow" size={18} />
            </Link>
          </div>
        </div>
        <HeroTickets services={office.services} />
      </div>
    </section>
  )
}

/** Example tickets for two services of the office. */
function HeroTickets({ services }: { services: Office['services'] }) {
  const [behind, front = behind] = services
  if (!behind || !front) return null
  return (
    <div className="ld-hero-tickets" aria-hidden="true">
      <div className="ld-hero-behind">
        <HeroTicket token="T-041" kicker={text.token} service={behind} />
      </div>
      <div className="ld-hero-front">
        <HeroTicket token="T-042" kicker={text.yourToken} service={front} />
      </div>
    </div>
  )
}

type HeroTicketProps = { token: string; kicker: string; service: Office['services'][number] }

function HeroTicket({ token, kicker, service }: HeroTicketProps) {
  const aside = fill(text.minutesShort, { minutes: service.est_minutes })
  return (
    <VerticalTicket
      token={token}
      kicker={kicker}
      line={serviceNameIn(locale, service.name, service.texts)}
      aside={aside}
    />
  )
}
