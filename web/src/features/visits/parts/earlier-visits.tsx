import { useQuery } from '@tanstack/react-query'
import type { Visit } from '@/api/types'
import { earlierQuery } from '@/features/visits/data/queries'
import { inBackground } from '@/in-background'
import { counted, fill } from '@/messages'
import { messages } from '@/staff-messages'
import { LoadAgain } from '@/ui/load-again'
import { useOfficeTime } from '@/ui/office-time'
import { ScrollRegion } from '@/ui/panel'
import { VisitService } from './visit-service'
import './earlier-visits.css'

const text = messages.visits.earlier

export function EarlierVisits({ visit }: { visit: Visit }) {
  const { data, isError, refetch } = useQuery(earlierQuery(visit))
  const time = useOfficeTime()
  return (
    <section className="earlier-visits" aria-labelledby="earlier-visits">
      <h3 id="earlier-visits">
        {text.title}
        {data ? <span className="panel-count">{counted(data.length)}</span> : null}
      </h3>
      {isError && !data ? <LoadAgain text={text.loadFailed} onRetry={() => inBackground(refetch())} /> : null}
      {data?.length === 0 ? <p className="small-text">{text.none}</p> : null}
      {data && data.length > 0 ? (
        <ScrollRegion label={text.title}>
          <ol>
            {data.map((earlier) => (
              <li key={earlier.id}>
                <p className="earlier-head small-texts">
                  <b>{time.dayOf(earlier.day)}</b>
                  <span>
                    <VisitService of={earlier} />
                  </span>
                  <small>{earlier.assignedConsultant}</small>
                </p>
                {earlier.name === visit.name ? null : (
                  <p className="small-text">{fill(text.as, { name: earlier.name })}</p>
                )}
                <p className="earlier-notes">{earlier.sessionNotes || text.noNotes}</p>
              </li>
            ))}
          </ol>
        </ScrollRegion>
      ) : null}
    </section>
  )
}
