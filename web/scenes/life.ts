import type { Page } from '@playwright/test'
import { answer } from './scene'

const at = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString()
const id = (number: number) => `00000000-0000-7000-8000-0000000000${String(number).padStart(2, '0')}`
const token = (number: number) => `T-${String(number).padStart(3, '0')}`

const services = ['ITR Filing', 'GST Return Filing', 'Audit Services']
const names = ['Venkataramanan Lakshminarayanan Subrahmanyam', 'मीना शर्मा', 'Asha Kulkarni', 'Ravi Shetty']

/** A place of the line, with every kind of reason among the first five. */
const place = (position: number) => ({
  position,
  visitId: id(position),
  token: token(40 + position),
  day: position === 8 ? '2026-11-19' : '2999-12-31',
  name: names[position % names.length],
  service: { id: id(80), name: services[position % services.length] },
  class: (['priority', 'normal', 'deadline', 'appointment'] as const)[(position - 1) % 4],
  pinnedTo: position % 5 === 4 ? { id: 'zoya', name: 'CA Zoya Khan' } : null,
  rankAt: at(position - 30),
  dueAt: at(position),
  bypassed: position % 4,
  maxBypass: 3,
  reasons: [reasons[position % reasons.length]],
  version: 2,
  forecast: forecasts[(position - 1) % forecasts.length],
})

const forecast = (minutes: number, more: object = {}) => ({
  from: at(minutes),
  to: at(minutes + 25),
  likely: at(minutes + 10),
  early: false,
  note: null,
  sooner: null,
  madeAt: at(0),
  ...more,
})

/**
 * A range, a first estimate, a visitor whom no consultant can call, a costly pin, and a visitor who may not be called
 * today.
 */
export const forecasts = [
  forecast(5),
  forecast(15, { early: true }),
  forecast(0, { from: null, to: null, likely: null, note: 'nobody_at_desk' }),
  forecast(40, { sooner: 25 }),
  forecast(300, { note: 'may_not_be_today' }),
]

const reasons = [
  { code: 'first_by_due', values: {} },
  { code: 'class', values: { class: 'priority', minutes: 10 } },
  { code: 'moved', values: { by: 'Rekha', reason: 'Short matter, papers complete' } },
  { code: 'must_go', values: { bypassed: 3 } },
  { code: 'pinned', values: { consultant: 'CA Zoya Khan' } },
]

const desk = (consultantId: string, name: string, more: object = {}) => ({
  consultantId,
  name,
  state: 'open',
  counter: '3',
  since: at(-60),
  until: null,
  backAt: null,
  serves: [],
  visit: null,
  counterRequired: true,
  defaultCounter: null,
  ...more,
})

const desks = [
  desk('zoya', 'CA Zoya Khan', { state: 'break', backAt: at(20) }),
  desk('rao', 'CA Rao', { visit: { id: id(70), token: 'T-038', stage: 'in-session', since: at(-12) } }),
  desk('imran', 'Imran Sheikh', { visit: { id: id(71), token: 'T-039', stage: 'called', since: at(-1) } }),
  desk('kavita', 'Kavita Rao', { state: 'off', counter: null }),
]

/** A call that may be repeated, but is too young for Not here. */
const openCall = {
  recallAt: at(-0.5),
  missAt: at(10),
  nudgeAt: at(1),
  autoRecallAt: at(1),
  autoMissAt: null,
  bySystem: false,
}

/** A visit beside the line. */
export const visit = (number: number, stage: string, more: object = {}) => ({
  id: id(number),
  token: token(number),
  day: '2026-11-20',
  name: names[number % names.length],
  phone: '98******10',
  service: { id: id(80), name: services[number % services.length] },
  status: 'approved',
  createdAt: at(-90),
  updatedAt: at(-5),
  decidedAt: at(-80),
  startedAt: null,
  completedAt: null,
  assignedConsultant: null,
  assignedConsultantId: null,
  notes: '',
  receptionNotes: '',
  paNotes: '',
  sessionNotes: '',
  waitTime: 42,
  sessionDuration: null,
  version: 4,
  queue: {
    stage,
    class: 'normal',
    appointmentAt: null,
    rankAt: at(-90),
    dueAt: at(-60),
    pinned: false,
    counter: stage === 'called' ? '3' : null,
    calledAt: stage === 'called' ? at(-1) : null,
    call: stage === 'called' ? openCall : null,
    callCount: 1,
    bypassed: 0,
    passedByHand: 0,
    held: stage === 'held' ? { reason: 'papers', note: 'Form 16 of the second employer', until: null } : null,
    endedAt: null,
    transfers: 0,
    sittings: 0,
    satSince: null,
    sessionSeconds: 0,
    correctedAt: null,
    undo: null,
  },
  ...more,
})

/** A waiting visitor with the nth of the forecasts. */
export const waiting = (index: number) => {
  const one = visit(41 + index, 'waiting')
  return { ...one, queue: { ...one.queue, forecast: forecasts[index] } }
}

/** Makes the office answer with a line in which every state occurs. */
export const fillLine = (page: Page, places = 8) =>
  answer(page, '**/api/visits/line', {
    line: Array.from({ length: places }, (_, index) => place(index + 1)),
    held: places > 0 ? [visit(61, 'held')] : [],
    missed: places > 0 ? [visit(62, 'missed')] : [],
    carried: [],
    ended: [],
    leftOver: places > 0 ? [visit(63, 'held'), visit(64, 'waiting')] : [],
    desks: places > 0 ? desks : [],
    accuracy: places > 0 ? { coverage: 0.81, n: 412 } : null,
  })
