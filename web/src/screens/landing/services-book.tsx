import type { Office } from '@/api/office'
import { locale, messages } from '@/messages'
import { Icon } from '@/ui/icon'
import { OfficeWords } from '@/ui/office-words'
import { serviceIcon } from '@/ui/service-icon'
import { SectionHead } from './section-head'
import './services-book.css'

const text = messages.landing.services

type Services = Office['services']

/** The services, as an open account book of two pages. */
export function ServicesBook({ services }: { services: Services }) {
  const half = Math.ceil(services.length / 2)
  return (
    <section className="ld-section" id="services">
      <SectionHead title={text.title} lead={text.lead} />
      <div className="ld-book">
        <i className="ld-book-ribbon" aria-hidden="true" />
        <Page services={services.slice(0, half)} from={1} />
        <Page services={services.slice(half)} from={half + 1} blankLine={services.length % 2 === 1} />
      </div>
    </section>
  )
}

type PageProps = { services: Services; from: number; blankLine?: boolean }

function Page({ services, from, blankLine = false }: PageProps) {
  return (
    <div className="ld-page">
      <div className="ld-page-head" aria-hidden="true">
        <span>{text.number}</span>
        <span>{text.particulars}</span>
        <span>{text.minutes}</span>
      </div>
      <ol start={from}>
        {services.map((service, index) => (
          <Entry key={service.name} number={from + index} service={service} />
        ))}
      </ol>
      {blankLine ? (
        <p className="ld-page-blank">
          <a href="#book">{text.next}</a>
        </p>
      ) : null}
    </div>
  )
}

function Entry({ number, service }: { number: number; service: Services[number] }) {
  const translation = service.texts?.[locale]
  return (
    <li className="ld-entry">
      <span className="ld-entry-number" aria-hidden="true">
        {String(number).padStart(2, '0')}
      </span>
      <span className="ld-entry-icon">
        <Icon name={serviceIcon(service.name)} size={26} />
      </span>
      <span className="ld-entry-words">
        <b>
          <OfficeWords text={service.name} translation={translation?.name} />
        </b>
        <span>
          <OfficeWords text={service.description} translation={translation?.description} />
        </span>
      </span>
      <span className="ld-entry-minutes">
        {service.est_minutes}
        <span className="visually-hidden"> {text.minutesUnit}</span>
      </span>
    </li>
  )
}
