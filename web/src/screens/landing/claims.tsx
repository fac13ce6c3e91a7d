import type { Office } from '@/api/office'
import { messages } from '@/messages'
import './claims.css'

const order = ['clients', 'years', 'support'] as const

/** The office's claims, drawn as three tickets across the lower edge of the cover. */
export function Claims({ claims }: { claims: Office['claims'] }) {
  return (
    <div className="ld-claims">
      <div className="ld-edges" aria-hidden="true" />
      <dl className="ld-strip">
        {order.map((claim) => (
          <div key={claim}>
            <dt>{messages.landing.claims[claim]}</dt>
            <dd>{claims[claim]}</dd>
          </div>
        ))}
      </dl>
    </div>
  )
}
