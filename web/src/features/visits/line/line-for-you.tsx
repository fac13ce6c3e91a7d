import { Button } from 'antd'
import type { Line, Place } from '@/api/types'
import type { VisitRef } from '@/features/visits/data/intent'
import { reasonsOf } from '@/features/visits/data/reason-words'
import { ClassMark } from '@/features/visits/parts/class-mark'
import { MissingMark } from '@/features/visits/parts/missing-papers'
import { Range, RangeRecord } from '@/features/visits/parts/range'
import { VisitService } from '@/features/visits/parts/visit-service'
import { fill } from '@/messages'
import { messages } from '@/staff-messages'
import { Empty } from '@/ui/empty'
import { useOfficeTime } from '@/ui/office-time'
import { Panel, ScrollRegion } from '@/ui/panel'
import { Token } from '@/ui/token'
import '@/features/visits/parts/my-lists.css'

const text = messages.life.mine

type Props = {
  /** The visitors of the line for any consultant who offers their service, in its order. */
  places: readonly Place[]
  /** Whether a visitor is called or in session, so that no other one can be called. */
  busy: boolean
  onCall: (visit: VisitRef) => void
  accuracy: Line['accuracy']
}

/** The visitors in the line whom this consultant can serve, without their names. */
export function LineForYou({ places, busy, onCall, accuracy }: Props) {
  const time = useOfficeTime()
  return (
    <Panel title={text.line} count={places.length}>
      {places.length === 0 ? (
        <Empty text={text.lineEmpty} />
      ) : (
        <ScrollRegion label={text.line}>
          <ol>
            {places.map((place) => (
              <li className="my-queue-entry small-lines" key={place.visitId}>
                <Token token={place.token} also={place.tokenAlso} />
                <div>
                  <b>
                    <VisitService of={place} /> <ClassMark of={place.class} />
                  </b>
                  <small>
                    {reasonsOf(place, time.time)} <MissingMark of={place} />
                  </small>
                  <Range of={place} brief />
                </div>
                <Button
                  disabled={busy}
                  aria-label={fill(text.callNowOf, { token: place.token })}
                  onClick={() => onCall({ ...place, id: place.visitId })}
                >
                  {text.callNow}
                </Button>
              </li>
            ))}
          </ol>
        </ScrollRegion>
      )}
      <RangeRecord accuracy={accuracy} />
    </Panel>
  )
}
