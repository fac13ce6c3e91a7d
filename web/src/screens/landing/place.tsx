import type { Office } from '@/api/office'
import { openingRows } from '@/features/office/opening-hours'
import { useOfficeMinute } from '@/features/office/use-office-minute'
import { fill, messages } from '@/messages'
import { comingDays } from '@/named-days'
import { Icon } from '@/ui/icon'
import { Mark } from '@/ui/mark'
import './place.css'

const text = messages.landing.place

const mapsSearch = (query: string) =>
  `https://www.google.com/maps/search/?api=1&query=${encodeURIComponent(query)}`

export function Place({ office }: { office: Office }) {
  return (
    <section className="ld-place" id="place">
      <div className="ld-section ld-place-in">
        <div>
          <h2>{text.title}</h2>
          <address>
            {office.address.map((line) => (
              <span key={line}>{line}</span>
            ))}
          </address>
          <a
            className="ld-button ld-button-paper"
            href={mapsSearch(office.mapsQuery)}
            target="_blank"
            rel="noreferrer"
          >
            {text.directions}
            <Icon name="arrow" size={18} />
            <span className="visually-hidden">{text.newTab}</span>
          </a>
        </div>
        <Route landmarks={office.landmarks} />
        <Hours office={office} />
      </div>
    </section>
  )
}

/** The landmarks as stops of a line; the last one is the office. */
function Route({ landmarks }: { landmarks: Office['landmarks'] }) {
  const last = landmarks.length - 1
  return (
    <div className="ld-route">
      <h3>{text.landmarks}</h3>
      <ol>
        {landmarks.map((landmark, index) => (
          <li key={landmark} className={index === last ? 'ld-route-door' : undefined}>
            {index === last ? <Mark size={36} /> : null}
            {landmark}
          </li>
        ))}
      </ol>
    </div>
  )
}

function Hours({ office }: { office: Office }) {
  const { today } = useOfficeMinute(office.timeZone)
  return (
    <div className="ld-hours">
      <h3 id="office-hours">{text.hours}</h3>
      <table aria-labelledby="office-hours">
        <tbody>
          {openingRows(office.hours).map(({ days, spans }) => (
            <tr key={days}>
              <th scope="row">{days}</th>
              <td>
                {spans.length > 0 ? spans.map((span) => fill(text.opening, span)).join(', ') : text.closed}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {comingDays(office, today).map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
    </div>
  )
}
