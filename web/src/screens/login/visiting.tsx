import type { Office } from '@/api/office'
import { fill, messages } from '@/messages'
import './visiting.css'

const text = messages.visiting
const hoursText = messages.landing.place

/**
 * Address and opening hours for visitors, who may come here from the public page: its link Walk-In Welcome opens the
 * staff's sign-in.
 */
export function Visiting({ office: { address, hours } }: { office: Office }) {
  return (
    <section className="visiting" aria-labelledby="visiting">
      <h2 id="visiting">{text.title}</h2>
      <p>{text.text}</p>
      <address>
        {address.map((line) => (
          <span key={line}>{line}</span>
        ))}
      </address>
      <dl>
        {hours.map(({ days, open, close }) => (
          <div key={days}>
            <dt>{days}</dt>
            <dd>
              {open === null || close === null ? hoursText.closed : fill(hoursText.opening, { open, close })}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
