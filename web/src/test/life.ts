import type { Bodies, Stage, UndoableAction, Visit } from '@/api/types'
import type { openOffice } from './office'

type Office = ReturnType<typeof openOffice>

/** The stage of a visit after an action. An action that is not listed does not change the stage. */
const after: Record<string, Stage> = {
  call: 'called',
  miss: 'missed',
  release: 'waiting',
  back: 'waiting',
  hold: 'held',
  resume: 'waiting',
  transfer: 'waiting',
  leave: 'left',
  cancel: 'cancelled',
  reopen: 'waiting',
}

const actions: readonly UndoableAction[] = [
  'call',
  'recall',
  'miss',
  'release',
  'back',
  'hold',
  'resume',
  'transfer',
  'pin',
  'move',
  'leave',
  'cancel',
  'reopen',
  'correct',
]

const statusOf = (stage: Stage): Visit['status'] => {
  if (stage === 'waiting' || stage === 'called' || stage === 'held' || stage === 'missed') return 'approved'
  return stage === 'left' || stage === 'no-show' || stage === 'cancelled' ? 'denied' : stage
}

/** A visit in another stage, with a change that the given user can undo for half a minute. */
export function changed(visit: Visit, action: UndoableAction, stage: Stage, user = 'Divya'): Visit {
  const until = new Date(Date.now() + 30_000).toISOString()
  return {
    ...visit,
    version: visit.version + 1,
    status: statusOf(stage),
    queue: { ...visit.queue, stage, undo: { action, until, by: user } },
  }
}

/** Lets the fake office answer requests that change these visits. Each change can be undone. */
export function liveThrough(office: Office, visits: readonly Visit[]) {
  const replace = (visit: Visit) => {
    office.state.visits = office.state.visits.map((one) => (one.id === visit.id ? visit : one))
    return { visit }
  }
  const now = ({ id }: Visit) => office.state.visits.find((visit) => visit.id === id)
  for (const visit of visits) {
    for (const action of actions) {
      office.answer(`POST /api/visits/${visit.id}/${action}`, () => {
        const before = now(visit) ?? visit
        return replace(changed(before, action, after[action] ?? before.queue.stage))
      })
    }
    office.answer(`POST /api/visits/${visit.id}/class`, () => {
      const before = now(visit) ?? visit
      const { body } = office.requests(`POST /api/visits/${visit.id}/class`).at(-1) ?? {}
      const next = changed(before, 'prioritise', before.queue.stage)
      return replace({
        ...next,
        queue: { ...next.queue, class: (body as Bodies['PrioritiseVisit']).class },
      })
    })
    office.answer(`POST /api/visits/${visit.id}/undo`, () => {
      const before = now(visit) ?? visit
      return replace({ ...visit, version: before.version + 1 })
    })
  }
}
