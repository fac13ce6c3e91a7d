import type { Stage, Visit, VisitQueue } from '@/api/types'

/** A visit as sent by a server of the previous release, which has no stages. */
type Answered = Omit<Visit, 'queue'> & { queue?: VisitQueue }

const stageOfStatus: Record<Visit['status'], Stage> = {
  new: 'new',
  approved: 'waiting',
  'in-session': 'in-session',
  completed: 'completed',
  denied: 'denied',
}

/** The visit of an answer. Without `queue`, its status determines its stage and whether it is pinned. */
export const visitOf = (answer: Answered): Visit => ({ ...answer, queue: answer.queue ?? plainQueue(answer) })

function plainQueue({ status, createdAt, startedAt }: Answered): VisitQueue {
  return {
    stage: stageOfStatus[status],
    class: 'normal',
    appointmentAt: null,
    rankAt: createdAt,
    dueAt: null,
    pinned: status === 'approved',
    counter: null,
    calledAt: null,
    callCount: 0,
    bypassed: 0,
    passedByHand: 0,
    held: null,
    endedAt: null,
    transfers: 0,
    sittings: startedAt ? 1 : 0,
    satSince: status === 'in-session' ? startedAt : null,
    sessionSeconds: 0,
    correctedAt: null,
    undo: null,
  }
}

export const stageOf = ({ queue }: Pick<Visit, 'queue'>): Stage => queue.stage

const openStages: readonly Stage[] = ['new', 'waiting', 'called', 'held', 'missed', 'in-session']

export const isOpen = (visit: Pick<Visit, 'queue'>) => openStages.includes(stageOf(visit))
