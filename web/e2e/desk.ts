import { expect } from '@playwright/test'
import type { Language } from '@/locales/languages'
import { accountOf, baseURL, openSession, type Account, type Session } from './people'

export type Visit = { id: string; token: string; name: string; phone: string; status: string }
type DayVisit = Visit & {
  createdAt: string
  startedAt: string | null
  version: number
  queue: { stage: string }
}
type Service = { id: string; name: string; is_active: number | boolean }

/** Functions with which a member of staff changes and reads visits through the API, without a screen. */
export type Desk = Awaited<ReturnType<typeof deskOf>>

const known = new Map<string, Promise<Desk>>()

/** The API client of an account. All tests of a worker share its session. */
export function deskFor(account: Account): Promise<Desk> {
  const desk = known.get(account.email) ?? openSession(account).then(deskOf)
  known.set(account.email, desk)
  return desk
}

export const deskOfRole = (role: Account['role']) => deskFor(accountOf(role))

async function deskOf({ token, userId }: Session) {
  const call = async <T>(method: 'GET' | 'POST' | 'PUT', path: string, body?: object) => {
    const answer = await fetch(baseURL() + path, {
      method,
      headers: {
        Authorization: `Bearer ${token}`,
        'Content-Type': 'application/json',
        'Idempotency-Key': crypto.randomUUID(),
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    expect(answer.ok, `${method} ${path} answered ${answer.status}`).toBe(true)
    return (await answer.json()) as T
  }
  const { services } = await call<{ services: Service[] }>('GET', '/api/services')
  const offered = services.filter(({ is_active: active }) => Boolean(active))
  let registered = 0

  const change = async ({ id }: Visit, body: object) =>
    (await call<{ visit: Visit }>('PUT', `/api/visits/${id}/status`, body)).visit

  return {
    userId,
    /** Registers a visitor for the service named `named`, or for each offered service in turn. */
    register: async (
      visitor: { name: string; phone?: string; notes?: string; language?: Language; documents?: object[] },
      named?: string,
    ) => {
      const service = named
        ? offered.find(({ name }) => name === named)
        : offered[registered++ % offered.length]
      const body = { phone: '9876543210', notes: '', ...visitor, service_id: service?.id }
      return (await call<{ visit: Visit }>('POST', '/api/visits', body)).visit
    },
    /**
     * Approves a visit for a consultant. Repeats the request, because the service `visits` may not know a new
     * consultant yet.
     */
    approve: async (visit: Visit, consultant: string, notes = '') => {
      let approved = visit
      await expect(async () => {
        approved = await change(visit, { status: 'approved', assigned_consultant_id: consultant, notes })
      }).toPass()
      return approved
    },
    ...lifeOf(call, change, userId),
    deny: (visit: Visit) => change(visit, { status: 'denied', notes: '' }),
    start: (visit: Visit) => change(visit, { status: 'in-session', notes: '' }),
    complete: (visit: Visit, notes = '') => change(visit, { status: 'completed', notes }),
    today: () => call<{ visits: DayVisit[] }>('GET', '/api/visits/today'),
    /** The ids of the consultants that the service `directory` has. */
    consultants: async () =>
      (await call<{ consultants: { id: string }[] }>('GET', '/api/users/consultants')).consultants.map(
        ({ id }) => id,
      ),
    service: () => offered[0]?.id ?? '',
    pending: () => call<{ visits: Visit[] }>('GET', '/api/visits/pending-approval'),
    notify: (message: string, target_roles?: Account['role'][]) =>
      call('POST', '/api/stream/notify', {
        message,
        type: 'info',
        ...(target_roles ? { target_roles } : {}),
      }),
  }
}

type Call = <T>(method: 'GET' | 'POST' | 'PUT', path: string, body?: object) => Promise<T>
type Change = (visit: Visit, body: object) => Promise<Visit>

/** The functions for the line, for the member's own desk, for a visitor's page and for consents. */
function lifeOf(call: Call, change: Change, userId: string) {
  return {
    /** Approves the visit for the next free consultant. */
    sendToLine: (visit: Visit) => change(visit, { status: 'approved', line: true, notes: '' }),
    act: async ({ id }: Pick<Visit, 'id'>, action: string, body: object = {}) =>
      (await call<{ visit: Visit }>('POST', `/api/visits/${id}/${action}`, body)).visit,
    next: async () => (await call<{ visit: Visit | null }>('POST', '/api/visits/next', {})).visit,
    /**
     * Opens the member's own desk, by default without a number. Repeats the request, because the service
     * `visits` may not know a new consultant yet.
     */
    openDesk: (counter?: string) =>
      expect(() => call('PUT', `/api/visits/desks/${userId}`, { state: 'open', counter })).toPass(),
    /** The path of the page on which the visitor sees their own visit. */
    pageOf: async ({ id }: Pick<Visit, 'id'>) => {
      const { link } = await call<{ link: { url: string } }>('GET', `/api/lobby/visits/${id}/link`)
      return new URL(link.url).pathname
    },
    consent: async ({ id }: Pick<Visit, 'id'>) =>
      call('POST', `/api/visits/${id}/consents`, { purpose: 'messages', means: 'aloud', given: true }),
    consents: async ({ id }: Pick<Visit, 'id'>) =>
      (
        await call<{ consents: { purpose: string; withdrawnBy: string | null }[] }>(
          'GET',
          `/api/visits/${id}/consents`,
        )
      ).consents,
    line: () => call<{ line: { visitId: string; token: string }[] }>('GET', '/api/visits/line'),
  }
}

/** Ends every visit of the line, so that the next visitor is the test's. */
export async function emptyLine() {
  const pa = await deskOfRole('pa')
  const { line } = await pa.line()
  for (const { visitId } of line) await pa.act({ id: visitId }, 'leave')
}

/**
 * Ends every waiting visit. With many of them, the forecasts of a test's visitors would be so late that they need a
 * second line of text.
 */
export async function emptyOffice() {
  await emptyLine()
  const pa = await deskOfRole('pa')
  for (const visit of (await pa.pending()).visits) await pa.deny(visit)
}

/** Visitors' names, some of them long or in other scripts. */
export const visitors = [
  'Venkataramanan Lakshminarayanan Subrahmanyam',
  'मीना शर्मा',
  'Asha Kulkarni',
  'Mohammed Abdul Rahman Siddiqui',
  'ಲಕ್ಷ್ಮೀ ನಾರಾಯಣ',
  'Ravi Shetty',
]

const notes = 'Brought Form 16, the AIS statement and a notice of 12 June under section 143(1).'

/** Registers this number of visitors, who then wait for a decision. */
export async function welcome(count: number): Promise<Visit[]> {
  const reception = await deskOfRole('reception')
  const visits: Visit[] = []
  for (let index = 0; index < count; index++) {
    const name = visitors[index % visitors.length] ?? ''
    visits.push(await reception.register({ name, notes: index % 3 === 0 ? notes : '' }))
  }
  return visits
}

/** Registers visitors until at least this number waits for a decision. */
export async function busyOffice(count = 20): Promise<void> {
  const { visits } = await (await deskOfRole('pa')).pending()
  await welcome(Math.max(0, count - visits.length))
}

/** Gives the consultant a running session, a queue of this length and two completed sessions. */
export async function busyConsultant(consultant: Account, queueLength: number): Promise<{ session: Visit }> {
  const pa = await deskOfRole('pa')
  const own = await deskFor(consultant)
  const visits = await welcome(queueLength + 3)
  for (const visit of visits) await pa.approve(visit, own.userId)
  const [first, second, third] = visits as [Visit, Visit, Visit]
  for (const visit of [first, second]) {
    await own.start(visit)
    await own.complete(visit, 'Form 26AS matches; revised return by 30 November.')
  }
  return { session: await own.start(third) }
}
