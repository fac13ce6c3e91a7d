import type { Office } from '@/api/office'
import { messages } from '@/messages'
import { telephone } from './telephone'

const text = messages.landing.booking

/** The visitor's part of the slip: the office's contact data. */
export function Counterfoil({ office }: { office: Office }) {
  return (
    <div className="ld-counterfoil">
      <h2>{text.title}</h2>
      <p>{text.lead}</p>
      <dl>
        <div>
          <dt>{text.phone}</dt>
          <dd>
            <a href={telephone(office.phone)}>{office.phone}</a>
          </dd>
        </div>
        <div>
          <dt>{text.email}</dt>
          <dd>
            <a href={`mailto:${office.email}`}>{office.email}</a>
          </dd>
        </div>
        <div>
          <dt>{text.area}</dt>
          <dd>{office.area}</dd>
        </div>
      </dl>
    </div>
  )
}
