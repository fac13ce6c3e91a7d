import type { Office } from '@/api/office'
import { openingRows, type Opening } from '@/features/office/opening-hours'
import { fill, messages } from '@/messages'
import { Logo } from '@/ui/mark'
import { telephone } from './telephone'
import './back-cover.css'

const text = messages.landing.place

/** The footer, drawn as the back of the account book: address, telephone, e-mail and opening hours. */
export function BackCover({ office }: { office: Office }) {
  return (
    <footer className="ld-back cloth">
      <div className="cloth-stitch" />
      <div className="ld-back-in">
        <div>
          <p className="ld-brand">{office.brand}</p>
          <address>
            {office.address.map((line) => (
              <span key={line}>{line}</span>
            ))}
          </address>
        </div>
        <div>
          <p>
            <a href={telephone(office.phone)}>{office.phone}</a>
          </p>
          <p>
            <a href={`mailto:${office.email}`}>{office.email}</a>
          </p>
        </div>
        <div>
          {openingRows(office.hours).map((row) => (
            <p key={row.days}>{hoursLine(row)}</p>
          ))}
        </div>
        <Logo size={30} />
      </div>
    </footer>
  )
}

function hoursLine({ days, spans: [first, ...rest] }: Opening) {
  if (!first) return fill(text.closedLine, { days })
  return [fill(text.openLine, { days, ...first }), ...rest.map((span) => fill(text.opening, span))].join(', ')
}
