import {
  KeyboardSensor,
  PointerSensor,
  pointerWithin,
  rectIntersection,
  useSensor,
  useSensors,
  type Active,
  type CollisionDetection,
  type DndContextProps,
  type KeyboardCoordinateGetter,
  type Over,
} from '@dnd-kit/core'
import { useState } from 'react'
import { fill } from '@/messages'
import { messages } from '@/staff-messages'

const text = messages.life.line

/** What is done when a visitor is dropped. The ids of drop targets are `place/` or `lane/` and an id, or `tray`. */
type Drops = {
  /** Before another visitor. */
  onPlace: (id: string, before: string) => void
  /** To a consultant. */
  onLane: (id: string, consultant: string) => void
  /** On hold. */
  onTray: (id: string) => void
}

/** A drag begins after this many pixels. A smaller movement of the pointer is a click on the handle. */
const startPixels = 4

/** Dragging with the pointer, or with Space and the arrow keys. */
export function useDragging({ onPlace, onLane, onTray }: Drops) {
  const [active, setActive] = useState<string>()
  const sensors = useSensors(
    useSensor(PointerSensor, { activationConstraint: { distance: startPixels } }),
    useSensor(KeyboardSensor, { coordinateGetter: toTheNext, keyboardCodes: keys }),
  )
  const drop = (id: string, over: Over | null) => {
    const [kind, target] = over ? String(over.id).split('/') : []
    if (kind === 'place' && target) onPlace(id, target)
    if (kind === 'lane' && target) onLane(id, target)
    if (kind === 'tray') onTray(id)
  }
  const context: DndContextProps = {
    sensors,
    collisionDetection: underPointer,
    accessibility: { announcements, screenReaderInstructions: { draggable: text.dragHint } },
    onDragStart: ({ active: { id } }) => setActive(String(id)),
    onDragCancel: () => setActive(undefined),
    onDragEnd: ({ active: { id }, over }) => {
      setActive(undefined)
      drop(String(id), over)
    },
  }
  return { context, active }
}

const keys = { start: ['Space'], cancel: ['Escape'], end: ['Space', 'Enter'] }

/**
 * Lanes are large and may be half covered, so the target is the one under the pointer, or under the rectangle that the
 * keyboard moves.
 */
const underPointer: CollisionDetection = (of) => {
  const hit = pointerWithin(of)
  return hit.length > 0 ? hit : rectIntersection(of)
}

/** The arrow keys go to the nearest place, consultant or tray in their direction. */
const toTheNext: KeyboardCoordinateGetter = (event, { context }) => {
  const step = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] }[event.code]
  const from = context.collisionRect
  if (!step || !from) return undefined
  event.preventDefault()
  const [x = 0, y = 0] = step
  const center = { x: from.left + from.width / 2, y: from.top + from.height / 2 }
  const found = context.droppableContainers
    .getEnabled()
    .flatMap(({ id }) => {
      const rect = context.droppableRects.get(id)
      return rect ? [rect] : []
    })
    .map((rect) => ({
      x: rect.left + Math.min(rect.width, 80) / 2,
      y: rect.top + Math.min(rect.height, 60) / 2,
    }))
    .map((at) => ({
      at,
      along: (at.x - center.x) * x + (at.y - center.y) * y,
      aside: asideOf(at, center, x),
    }))
    .filter(({ along, aside }) => along > 8 && aside < along * 4)
    .sort((one, other) => one.along + one.aside * 2 - other.along - other.aside * 2)[0]
  return found && { x: found.at.x - from.width / 2, y: found.at.y - from.height / 2 }
}

type Point = { x: number; y: number }
const asideOf = (at: Point, center: Point, x: number) =>
  x === 0 ? Math.abs(at.x - center.x) : Math.abs(at.y - center.y)

/** The texts that the rows and the lanes attach to their elements. */
type Named = { token?: string; name?: string } | undefined

const tokenOf = ({ data }: Active) => (data.current as Named)?.token ?? ''

/** The name of a drop target, from the texts of its element. */
function nameOf(over: Over | null): string {
  if (!over) return text.nowhere
  if (over.id === 'tray') return messages.life.tray.held
  const { name, token } = (over.data.current as Named) ?? {}
  return token ? fill(text.placeOf, { token }) : (name ?? text.nowhere)
}

const announcements = {
  onDragStart: ({ active }: { active: Active }) => fill(text.lifted, { token: tokenOf(active) }),
  onDragOver: ({ active, over }: { active: Active; over: Over | null }) =>
    fill(text.over, { token: tokenOf(active), place: nameOf(over) }),
  onDragEnd: ({ active, over }: { active: Active; over: Over | null }) =>
    fill(text.dropped, { token: tokenOf(active), place: nameOf(over) }),
  onDragCancel: ({ active }: { active: Active }) => fill(text.cancelled, { token: tokenOf(active) }),
}
