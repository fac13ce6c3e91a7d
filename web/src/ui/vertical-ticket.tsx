import rosette from '@/assets/rosette.svg'
import { messages } from '@/messages'
import { Mark } from './mark'
import { hindiPaths, hindiWidth } from './mark-paths'
import './vertical-ticket.css'

type Props = {
  /** Formatted as a visit's token: letters, a hyphen, the number. */
  token: string
  kicker: string
  line: string
  aside: string
  short?: boolean
}

/** A tall ticket as an image, whose words are decoration. */
export function VerticalTicket({ token, kicker, line, aside, short = false }: Props) {
  return (
    <div className="vertical-ticket-shadow" aria-hidden="true">
      <div className={short ? 'vertical-ticket paper vertical-ticket-short' : 'vertical-ticket paper'}>
        <div className="vertical-ticket-face">
          <img className="vertical-ticket-rosette" src={rosette} alt="" />
          <div className="vertical-ticket-top">
            <Mark size={38} />
            <span className="vertical-ticket-word">
              <svg viewBox={`0 0 ${hindiWidth} 36`} height={28}>
                {hindiPaths.map((path) => (
                  <path key={path.slice(0, 24)} d={path} fill="currentColor" />
                ))}
              </svg>
              {messages.app.motto}
            </span>
          </div>
          <p className="vertical-ticket-number">
            <small>{kicker}</small>
            {token}
          </p>
          <span className="vertical-ticket-micro">{`${messages.app.microprint} `.repeat(12)}</span>
        </div>
        <div className="vertical-ticket-foot">
          <b>{line}</b>
          <b>{aside}</b>
        </div>
      </div>
    </div>
  )
}
