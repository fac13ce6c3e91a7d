import type { VisitorLink } from '@/api/types'
import { fill, plural } from '@/messages'
import { messages } from '@/staff-messages'
import { useOfficeTime } from '@/ui/office-time'

const text = messages.visitorLink.told

/** How often a visitor's page was opened, and the notifications that the visitor was sent. */
export function Told({ link: { opens, told } }: { link: VisitorLink }) {
  const time = useOfficeTime()
  return (
    <section className="link-dialog-told" aria-label={text.title}>
      <p>{fill(plural(text.opens, opens), { count: opens })}</p>
      <h3>{text.title}</h3>
      {told.length === 0 ? <p>{text.none}</p> : null}
      <ul>
        {told.map(({ channel, kind, state, why, at }) => {
          const words = {
            time: time.time(at),
            kind: text.kinds[kind],
            channel: text.channels[channel],
            state: text.states[state],
          }
          return (
            <li key={`${channel} ${kind} ${at}`}>
              {why ? fill(text.lineWhy, { ...words, why: text.why[why] }) : fill(text.line, words)}
            </li>
          )
        })}
      </ul>
    </section>
  )
}
