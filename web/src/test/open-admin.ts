import type { AuditRecord, Role } from '@/api/types'
import { consultantOf, userOf } from './fixtures'
import { openOffice } from './office'
import { renderApp } from './render-app'

export const accounts = [
  { id: 'zoya', name: 'Zoya', role: 'consultant', email: 'z@x.in', isActive: true },
  { id: 'nandini', name: 'Nandini', role: 'consultant', email: 'n@x.in', isActive: true },
  { id: 'divya', name: 'Divya', role: 'reception', email: 'd@x.in', isActive: true },
  { id: userOf('admin').id, name: 'Anand', role: 'admin', email: 'a@x.in', isActive: true },
]

/** A person who has registered and waits for approval. */
export const waitingPerson = (id: string, name: string, createdAt: string, role: Role = 'reception') => ({
  id,
  name,
  role,
  email: `${id}@x.in`,
  isActive: false,
  awaiting: true,
  invitedUntil: null,
  createdAt,
})

export const consultants = [
  consultantOf('zoya', 'Zoya', { specialization: ['GST'], totalSessions: 4 }),
  consultantOf('nandini', 'Nandini', { currentQueue: 2 }),
]

/** The audit record of a registration. The fields of `more` replace its own. */
export const record = (more: Partial<AuditRecord> = {}): AuditRecord => ({
  id: '18',
  entity: 'visit',
  entityId: 'visit-18',
  action: 'created',
  user: { id: 'divya', name: 'Divya', email: 'd@x.in', role: 'reception' },
  oldValues: null,
  newValues: { status: 'new', service: 'GST Registration' },
  ipAddress: null,
  createdAt: '2026-11-20T06:12:08.000Z',
  visit: { token: 'T-018', name: 'Asha' },
  ...more,
})

export function openAdmin(tab = 'analytics', more: Partial<Parameters<typeof openOffice>[0]> = {}) {
  const office = openOffice({ user: userOf('admin'), consultants, ...more })
  office.answer('GET /api/users', () => ({
    users: accounts,
    pagination: { page: 1, limit: 100, total: accounts.length, pages: 1 },
  }))
  return { office, ...renderApp(`/dashboard/admin?tab=${tab}`) }
}

/** Makes the fake office refuse a request until the admin signs in again. */
export function needFreshSession(office: ReturnType<typeof openOffice>, call: string) {
  office.fail(call, 403, { error: 'Please sign in again for this.', code: 'session_not_fresh' })
  office.answer('POST /api/auth/sign-in/email', () => {
    office.mend(call)
    return { redirect: false, token: 'token-of-the-new-session', user: office.state.user }
  })
}
