import type { User } from '@/api/session-store'
import type {
  Consultant,
  Dashboard,
  Desk,
  Forecast,
  Line,
  Place,
  Role,
  Service,
  Stage,
  StaffAppointment,
  Visit,
  VisitQueue,
} from '@/api/types'

/** Fixtures, typed by the API documents. A test overrides the fields that it is about. */
export const userOf = (role: Role, more: Partial<User> = {}): User => ({
  id: `${role}-user`,
  email: `${role}@lekha.example`,
  name: { reception: 'Divya', pa: 'Rekha', consultant: 'Nandini', admin: 'Anand' }[role],
  role,
  isActive: true,
  ...more,
})

export const visitOf = (number: number, more: Partial<Visit> = {}): Visit => ({
  id: `visit-${number}`,
  token: `T-${String(number).padStart(3, '0')}`,
  day: '2026-11-20',
  name: `Visitor ${number}`,
  phone: `98765${String(43200 + number)}`,
  service: { id: 'itr', name: 'ITR Filing' },
  language: 'en',
  status: 'new',
  createdAt: '2026-11-20T05:30:00.000Z',
  updatedAt: '2026-11-20T05:30:00.000Z',
  decidedAt: null,
  startedAt: null,
  completedAt: null,
  assignedConsultant: null,
  assignedConsultantId: null,
  notes: '',
  receptionNotes: '',
  paNotes: '',
  sessionNotes: '',
  waitTime: 7,
  sessionDuration: null,
  version: 1,
  queue: queueOf(stageLike[more.status ?? 'new']),
  documents: null,
  ...more,
})

export const inStatus = (visit: Visit, status: Visit['status'], more: Partial<Visit> = {}): Visit => ({
  ...visit,
  status,
  version: visit.version + 1,
  queue: { ...visit.queue, stage: stageLike[status] },
  ...more,
})

const stageLike: Record<Visit['status'], Stage> = {
  new: 'new',
  approved: 'waiting',
  'in-session': 'in-session',
  completed: 'completed',
  denied: 'denied',
}

/** A forecast with the range from 10:40 to 11:05 by the office's clock. */
export const forecastOf = (more: Partial<Forecast> = {}): Forecast => ({
  from: '2026-11-20T05:10:00.000Z',
  to: '2026-11-20T05:35:00.000Z',
  likely: '2026-11-20T05:20:00.000Z',
  early: false,
  note: null,
  sooner: null,
  madeAt: '2026-11-20T05:00:00.000Z',
  ...more,
})

export const queueOf = (stage: Stage, more: Partial<VisitQueue> = {}): VisitQueue => ({
  stage,
  class: 'normal',
  appointmentAt: null,
  rankAt: '2026-11-20T05:30:00.000Z',
  dueAt: '2026-11-20T06:00:00.000Z',
  pinned: false,
  counter: null,
  calledAt: null,
  callCount: 0,
  bypassed: 0,
  passedByHand: 0,
  held: null,
  endedAt: null,
  transfers: 0,
  sittings: 0,
  satSince: null,
  sessionSeconds: 0,
  correctedAt: null,
  undo: null,
  ...more,
})

export const placeOf = (position: number, number: number, more: Partial<Place> = {}): Place => ({
  position,
  visitId: `visit-${number}`,
  token: `T-${String(number).padStart(3, '0')}`,
  day: '2026-11-20',
  name: `Visitor ${number}`,
  service: { id: 'itr', name: 'ITR Filing' },
  class: 'normal',
  pinnedTo: null,
  rankAt: '2026-11-20T05:30:00.000Z',
  dueAt: '2026-11-20T06:00:00.000Z',
  bypassed: 0,
  maxBypass: 3,
  reasons: [{ code: 'first_by_due', values: {} }],
  version: 2,
  documents: null,
  ...more,
})

export const deskOf = (consultantId: string, name: string, more: Partial<Desk> = {}): Desk => ({
  consultantId,
  name,
  state: 'open',
  counter: null,
  counterRequired: false,
  defaultCounter: null,
  since: null,
  until: null,
  backAt: null,
  serves: [],
  visit: null,
  ...more,
})

export const lineOf = (more: Partial<Line> = {}): Line => ({
  line: [],
  held: [],
  missed: [],
  leftOver: [],
  carried: [],
  ended: [],
  desks: [],
  ...more,
})

export const appointmentOf = (id: string, more: Partial<StaffAppointment> = {}): StaffAppointment => ({
  id,
  name: 'Leela',
  phone: '9876543210',
  email: 'leela@example.com',
  service: 'GST Registration',
  preferredDate: '2026-11-23',
  preferredTime: '11:00',
  message: '',
  status: 'pending',
  createdAt: '2026-11-20T05:30:00.000Z',
  serviceId: 'gst',
  consultant: null,
  language: '',
  messages: false,
  source: 'page',
  sequence: 0,
  version: 1,
  visitId: null,
  endedAt: null,
  needsTime: false,
  undo: null,
  ...more,
})

export const mine = { assignedConsultant: 'Nandini', assignedConsultantId: 'consultant-user' }

export const services: Service[] = [
  {
    id: 'itr',
    name: 'ITR Filing',
    description: 'Returns of people',
    est_minutes: 30,
    is_active: 1,
    texts: {},
    group: 'income_tax',
    documents: [],
  },
  {
    id: 'gst',
    name: 'GST Registration',
    description: '',
    est_minutes: 45,
    is_active: 1,
    texts: {},
    group: 'gst',
    documents: [],
  },
  {
    id: 'old',
    name: 'Stamp Vending',
    description: '',
    est_minutes: 5,
    is_active: 0,
    texts: {},
    group: 'other',
    documents: [],
  },
]

export const consultantOf = (id: string, name: string, more: Partial<Consultant> = {}): Consultant => ({
  id,
  name,
  specialization: ['General Consultation'],
  isActive: true,
  currentQueue: 0,
  totalSessions: 0,
  inSession: false,
  serves: [],
  ...more,
})

export const dashboardOf = (today: Partial<Dashboard['today']> = {}): Dashboard => ({
  day: '2026-11-20',
  today: {
    total_visits: 12,
    new_visits: 3,
    approved_visits: 2,
    in_session_visits: 2,
    completed_visits: 4,
    denied_visits: 1,
    ...today,
  },
  stages: { waiting: 1, called: 1, held: 0, missed: 0, left: 0, no_show: 0, cancelled: 0 },
  measured: {
    avg_wait_minutes: 14.4,
    peak_hours: { from: '14:00', to: '16:00' },
    arrivals_by_hour: Array.from({ length: 24 }, (_, hour) => (hour === 14 ? 6 : hour === 10 ? 4 : 0)),
  },
})
