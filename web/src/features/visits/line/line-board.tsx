import { DndContext, DragOverlay } from '@dnd-kit/core'
import { Select } from 'antd'
import { useRef, useState, type KeyboardEvent, type ReactNode } from 'react'
import type { Line, Place, Visit } from '@/api/types'
import type { ActionContext } from '@/features/visits/data/action-context'
import { may, subjectOf, subjectOfPlace } from '@/features/visits/data/actions'
import { movedBefore, neighbourFor } from '@/features/visits/data/line-order'
import { useActOnAll } from '@/features/visits/data/use-act-on-all'
import { messages } from '@/staff-messages'
import { Empty } from '@/ui/empty'
import { Panel, ScrollRegion } from '@/ui/panel'
import { useSteady } from '@/ui/steady'
import { Token } from '@/ui/token'
import { useIsPhone } from '@/ui/use-is-phone'
import { useDragging } from './dragging'
import { Lane } from './lane'
import { PlaceRow } from './place-row'
import { RangeRecord } from '@/features/visits/parts/range'
import { Tray, type LeftOverAction } from './tray'
import { useVisitActions } from '@/features/visits/dialogs/use-visit-actions'
import './line-board.css'

const text = messages.life

type Props = Omit<ActionContext, 'line'> & {
  line: Line
  /** Today's visits. They have details that places lack. */
  visits: readonly Visit[]
}

/** The line in its order, the consultants, and the visits that wait outside the line. */
export function LineBoard({ line, visits, ...of }: Props) {
  const board = useRef<HTMLDivElement>(null)
  const known = line.line.map((place) => ({ id: place.visitId, token: place.token, version: place.version }))
  const actions = useVisitActions({ ...of, line: known })
  const all = useActOnAll()
  useSteady(board)

  const { dragging, moveBefore } = useDrops(line.line, visits, actions)
  // While the dialog asks for the reason, the visitor is already shown at the new place.
  const { moving } = actions
  const places = moving ? movedBefore(line.line, moving.id, moving.before) : line.line
  const onAll = (action: LeftOverAction) =>
    all.send(
      line.leftOver
        .map((visit) => subjectOf(visit, of.today))
        .filter((subject) => may(action, subject, of.by)),
      { action },
    )

  return (
    <DndContext {...dragging.context}>
      <div className="line-board" ref={board}>
        <Places
          places={places}
          onMove={moveBefore}
          onUnpin={(place) =>
            actions.act(subjectOfPlace(place, visits), { action: 'pin', body: { consultant_id: null } })
          }
          accuracy={line.accuracy}
          menuOf={(place, more) => actions.menuOf(subjectOfPlace(place, visits), more)}
        />
        <Lanes line={line} timeZone={of.timeZone} />
        <Tray
          held={line.held}
          missed={line.missed}
          leftOver={line.leftOver}
          menuOf={actions.menuOfVisit}
          onAll={onAll}
          busy={all.pending}
        />
      </div>
      <Carried place={line.line.find(({ visitId }) => visitId === dragging.active)} />
      {actions.dialog}
    </DndContext>
  )
}

/** What a drop does: move before another visitor, pin to a consultant, or put on hold. */
function useDrops(
  line: readonly Place[],
  visits: readonly Visit[],
  actions: ReturnType<typeof useVisitActions>,
) {
  const subjectAt = (id: string) => {
    const place = line.find(({ visitId }) => visitId === id)
    return place && subjectOfPlace(place, visits)
  }
  const moveBefore = (id: string, before: string) => {
    const [subject, target] = [subjectAt(id), subjectAt(before)]
    if (subject && target && id !== before) actions.moveBefore(subject, target)
  }
  const dragging = useDragging({
    onPlace: moveBefore,
    onLane: (id, consultant) => {
      const subject = subjectAt(id)
      if (subject) actions.act(subject, { action: 'pin', body: { consultant_id: consultant } })
    },
    onTray: (id) => {
      const subject = subjectAt(id)
      if (subject) actions.choose(subject, { action: 'hold' })
    },
  })
  return { dragging, moveBefore }
}

/** The token that is shown under the pointer during a drag. */
function Carried({ place }: { place: Place | undefined }) {
  return (
    <DragOverlay dropAnimation={null}>
      {place ? (
        <span className="place-carried">
          <Token token={place.token} also={place.tokenAlso} />
        </span>
      ) : null}
    </DragOverlay>
  )
}

type MenuOf = (
  place: Place,
  more: { open?: boolean; onOpenChange?: (open: boolean) => void; tabIndex?: number },
) => ReactNode

type PlacesProps = {
  places: readonly Place[]
  onMove: (id: string, before: string) => void
  onUnpin: (place: Place) => void
  accuracy: Line['accuracy']
  menuOf: MenuOf
}

/** Up and Down choose a visitor, Alt with Up or Down moves the visitor, and Enter opens the menu. */
function Places({ places, onMove, onUnpin, accuracy, menuOf }: PlacesProps) {
  const list = useRef<HTMLOListElement>(null)
  const [chosen, setChosen] = useState<string>()
  const [opened, setOpened] = useState<string>()
  const current = places.some(({ visitId }) => visitId === chosen) ? chosen : places[0]?.visitId

  const onKey = (place: Place) => (event: KeyboardEvent) => {
    const by = event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' ? 1 : undefined
    if (event.target !== event.currentTarget || (by === undefined && event.key !== 'Enter')) return
    event.preventDefault()
    if (by === undefined) {
      if (!event.repeat) setOpened(place.visitId)
    } else if (event.altKey) {
      const before = neighbourFor(places, place.visitId, by)
      if (before) onMove(place.visitId, before)
    } else {
      const next = places[places.indexOf(place) + by]
      if (next) list.current?.querySelector<HTMLElement>(`[data-visit="${next.visitId}"]`)?.focus()
    }
  }

  return (
    <Panel title={text.line.title} count={places.length} className="line-places">
      {places.length === 0 ? (
        <Empty text={text.line.empty} />
      ) : (
        <ScrollRegion tall label={text.line.title}>
          <ol ref={list}>
            {places.map((place) => (
              <PlaceRow
                key={place.visitId}
                place={place}
                current={place.visitId === current}
                onFocus={() => setChosen(place.visitId)}
                onKey={onKey(place)}
                onUnpin={() => onUnpin(place)}
                menu={menuOf(place, {
                  open: opened === place.visitId,
                  onOpenChange: (open) => setOpened(open ? place.visitId : undefined),
                  tabIndex: place.visitId === current ? 0 : -1,
                })}
              />
            ))}
          </ol>
        </ScrollRegion>
      )}
      <RangeRecord accuracy={accuracy} />
    </Panel>
  )
}

/** A lane for each consultant; on a phone one at a time. */
function Lanes({ line: { desks, line }, timeZone }: { line: Line; timeZone: string }) {
  const phone = useIsPhone()
  const [chosen, setChosen] = useState<string>()
  const shown = desks.find(({ consultantId }) => consultantId === chosen) ?? desks[0]
  const lanes = phone ? desks.filter((desk) => desk === shown) : desks
  return (
    <Panel title={text.lanes.title} count={desks.length}>
      {desks.length === 0 ? <Empty text={text.lanes.empty} /> : null}
      {phone && shown ? (
        <div className="lanes-select">
          <Select
            aria-label={text.lanes.choose}
            value={shown.consultantId}
            options={desks.map(({ consultantId, name }) => ({ value: consultantId, label: name }))}
            onChange={setChosen}
          />
        </div>
      ) : null}
      <ScrollRegion tall label={text.lanes.title}>
        <ul>
          {lanes.map((desk) => (
            <Lane
              key={desk.consultantId}
              desk={desk}
              pins={line.filter(({ pinnedTo }) => pinnedTo?.id === desk.consultantId)}
              timeZone={timeZone}
            />
          ))}
        </ul>
      </ScrollRegion>
    </Panel>
  )
}
