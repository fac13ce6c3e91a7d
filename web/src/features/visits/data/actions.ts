import type { Place, Role, Stage, Visit, VisitClass } from '@/api/types'
import { isUnsent } from '@/live/offline-mode'
import { isAssignedTo, type Person } from './visit'

/** The actions of a visit's menu, in its order. */
export const menuActions = [
  'start',
  'call',
  'recall',
  'miss',
  'release',
  'back',
  'resume',
  'hold',
  'pin',
  'unpin',
  'move',
  'prioritise',
  'transfer',
  'correct',
  'link',
  'papers',
  'consents',
  'reopen',
  'leave',
  'cancel',
  'undo',
] as const

export type ActionName = (typeof menuActions)[number]

/** The stages from which each role may act. `mayAsConsultant` restricts consultants further. */
type Grants = Partial<Record<Role, readonly Stage[]>>

const desk = (...from: Stage[]): Grants => ({ reception: from, pa: from, admin: from })
const assistants = (...from: Stage[]): Grants => ({ pa: from, admin: from })
const everyone = (...from: Stage[]): Grants => ({ ...desk(...from), consultant: from })

const beforeTheEnd: Stage[] = ['new', 'waiting', 'called', 'held', 'missed']
const ended: Stage[] = ['completed', 'left', 'no-show', 'cancelled', 'denied']

/**
 * The stages from which the menu offers an action to each role. The server decides (services/visits/visit/actions.go
 * has the rules).
 */
const grants: Record<Exclude<ActionName, 'undo'>, Grants> = {
  start: { consultant: ['waiting', 'called', 'held', 'missed'], admin: ['called'] },
  call: { ...assistants('waiting', 'held', 'missed'), consultant: ['waiting', 'held', 'missed'] },
  recall: everyone('called'),
  miss: everyone('called'),
  release: everyone('called'),
  back: everyone('missed'),
  resume: everyone('held', 'waiting'),
  hold: { ...desk('waiting', 'called', 'in-session'), consultant: ['called', 'in-session'] },
  pin: assistants('waiting'),
  unpin: assistants('waiting'),
  move: assistants('waiting'),
  prioritise: desk('new', 'waiting'),
  transfer: {
    ...assistants('waiting', 'called', 'held', 'missed', 'in-session'),
    consultant: [...beforeTheEnd.slice(1), 'in-session'],
  },
  correct: desk(...beforeTheEnd, 'in-session'),
  link: { reception: [...beforeTheEnd, 'in-session'], admin: [...beforeTheEnd, 'in-session'] },
  papers: everyone(...beforeTheEnd, 'in-session', ...ended),
  consents: desk(...beforeTheEnd, 'in-session', ...ended),
  reopen: { ...assistants(...ended), reception: ['left', 'no-show', 'cancelled'], consultant: ['completed'] },
  leave: everyone(...beforeTheEnd),
  cancel: desk('new', 'waiting', 'held', 'missed'),
}

export type Actor = Person & { role: string }

/** A visit or a place in the line, with the fields that its menu reads. */
export type Subject = {
  id: string
  token: string
  name: string
  version: number
  stage: Stage
  class: VisitClass
  pinned: boolean
  undoable: boolean
  /** Whether the visit is of the current day. */
  today: boolean
  /** The whole visit, where it is known. */
  visit: Visit | undefined
}

export function subjectOf(visit: Visit, today: string): Subject {
  const { id, token, name, version, queue, day } = visit
  const { stage, class: of, pinned, undo } = queue
  return {
    id,
    token,
    name,
    version,
    stage,
    class: of,
    pinned,
    undoable: undo !== null,
    today: day === today,
    visit,
  }
}

/** The subject of a menu for a place of the line. Its visit is unknown if `visits` does not have it. */
export function subjectOfPlace(place: Place, visits: readonly Visit[]): Subject {
  const visit = visits.find(({ id }) => id === place.visitId)
  const { visitId: id, token, name = '', version, class: of, pinnedTo } = place
  const undoable = visit?.version === version && visit.queue.undo !== null
  return {
    id,
    token,
    name,
    version,
    stage: 'waiting',
    class: of,
    pinned: pinnedTo !== null,
    undoable,
    today: true,
    visit,
  }
}

const isRole = (role: string): role is Role => ['reception', 'pa', 'consultant', 'admin'].includes(role)

/** The actions that the actor can do now, in the order of the menu. */
export const actionsFor = (subject: Subject, by: Actor): ActionName[] =>
  menuActions.filter((action) => may(action, subject, by))

export function may(action: ActionName, subject: Subject, by: Actor): boolean {
  if (isUnsent(subject.id)) return subject.stage === 'new' && (action === 'leave' || action === 'papers')
  if (action === 'undo') return subject.undoable
  if (!isRole(by.role) || !grants[action][by.role]?.includes(subject.stage)) return false
  if (by.role === 'consultant' && !mayAsConsultant(action, subject, by)) return false
  return conditions[action]?.(subject, by) ?? true
}

/**
 * A consultant may act on visits that are assigned to them, and call visitors of the common line. The visits of these
 * visitors are not loaded before the call.
 */
const mayAsConsultant = (action: ActionName, { visit }: Subject, by: Actor) =>
  visit ? isAssignedTo(visit, by) : action === 'call'

/**
 * Whether the user may correct or cancel a visit. Reception may do so only for visits of today that the user
 * registered.
 */
const isAuthor = ({ visit, today }: Subject, { role }: Actor) =>
  role !== 'reception' || (today && visit?.queue.registeredByCaller !== false)

const conditions: Partial<Record<ActionName, (subject: Subject, by: Actor) => boolean>> = {
  // A visitor who is left over from an earlier day is put into today's line.
  resume: ({ stage, today }) => stage === 'held' || !today,
  unpin: ({ pinned }) => pinned,
  link: ({ today }) => today,
  correct: (subject, by) => subject.visit !== undefined && isAuthor(subject, by),
  cancel: isAuthor,
}
