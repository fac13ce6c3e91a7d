import { useDraggable, useDroppable } from '@dnd-kit/core'
import type { KeyboardEvent, ReactNode } from 'react'
import type { Place } from '@/api/types'
import { reasonsOf } from '@/features/visits/data/reason-words'
import { ClassMark } from '@/features/visits/parts/class-mark'
import { EarlierDay } from '@/features/visits/parts/earlier-day'
import { MissingMark } from '@/features/visits/parts/missing-papers'
import { PinWarning, Range } from '@/features/visits/parts/range'
import { VisitService } from '@/features/visits/parts/visit-service'
import { fill, plural } from '@/messages'
import { messages } from '@/staff-messages'
import { Icon } from '@/ui/icon'
import { useOfficeTime } from '@/ui/office-time'
import { Token } from '@/ui/token'
import './place-row.css'

const text = messages.life.line

type Props = {
  place: Place
  /** Whether Tab reaches this row of the list; the arrow keys choose another row. */
  current: boolean
  onKey: (event: KeyboardEvent) => void
  onFocus: () => void
  menu: ReactNode
  onUnpin: () => void
}

/**
 * A visitor in the line: the place, its reasons, and how many visitors behind this one were called first. The row is
 * dragged by its handle.
 */
export function PlaceRow({ place, current, onKey, onFocus, menu, onUnpin }: Props) {
  const { visitId, token, name, bypassed, maxBypass, pinnedTo, position } = place
  const time = useOfficeTime()
  const reasons = reasonsOf(place, time.time)
  const { setNodeRef, isOver, active } = useDroppable({ id: `place/${visitId}`, data: { token } })
  const isBefore = isOver && active?.id !== visitId
  const classes = [
    'place-row small-texts',
    isBefore && 'place-row-before',
    bypassed >= maxBypass && 'place-row-next',
  ]
  return (
    <li
      ref={setNodeRef}
      className={classes.filter(Boolean).join(' ')}
      data-visit={visitId}
      tabIndex={current ? 0 : -1}
      aria-label={`${fill(text.position, { position })}, ${token} ${name ?? ''}`}
      aria-keyshortcuts="Alt+ArrowUp Alt+ArrowDown Enter"
      onFocus={({ target }) => {
        // The button of the pin's warning can be reached by Tab in every row: it does not choose its row.
        if (current || target.tabIndex < 0) onFocus()
      }}
      onKeyDown={onKey}
    >
      <Handle place={place} current={current} />
      <span className="place-position">{position}</span>
      <Token token={token} also={place.tokenAlso} />
      <span className="place-who">
        <b>
          {name} <ClassMark of={place.class} /> {place.day ? <EarlierDay day={place.day} /> : null}
        </b>
        <span>
          <VisitService of={place} /> <MissingMark of={place} />
        </span>
        {reasons ? <small>{reasons}</small> : null}
        <Range of={place} brief />
        <PinWarning of={place} token={token} onUnpin={onUnpin} />
      </span>
      <span className="place-when">
        <span>{fill(text.registered, { time: time.time(place.rankAt) })}</span>
        <b>{fill(text.due, { time: time.time(place.dueAt) })}</b>
        {bypassed > 0 ? (
          <small title={fill(text.passedTitle, { bypassed, most: maxBypass })}>
            {fill(plural(text.passed, bypassed), { bypassed, most: maxBypass })}
          </small>
        ) : null}
        {pinnedTo ? <small>{fill(text.pinned, { name: pinnedTo.name })}</small> : null}
      </span>
      {menu}
    </li>
  )
}

function Handle({ place: { visitId, token }, current }: { place: Place; current: boolean }) {
  const { attributes, listeners, setNodeRef } = useDraggable({ id: visitId, data: { token } })
  return (
    <button
      {...attributes}
      {...listeners}
      ref={setNodeRef}
      type="button"
      className="place-handle"
      tabIndex={current ? 0 : -1}
      aria-label={fill(text.drag, { token })}
    >
      <Icon name="grip" size={18} />
    </button>
  )
}
