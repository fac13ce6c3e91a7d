import { http, HttpResponse } from 'msw'
import type { User } from '@/api/session-store'
import type { AuditRecord, Consultant, Dashboard, Line, LiveEvent, Service, Visit } from '@/api/types'
import { keys } from '@/storage'
import { dashboardOf, lineOf, services } from './fixtures'
import { server } from './server'
import { settingsOf } from './settings'

export type Seen = { method: string; path: string; query: URLSearchParams; body: unknown; headers: Headers }

type Office = {
  user: User | null
  visits?: Visit[]
  services?: Service[]
  consultants?: Consultant[]
  dashboard?: Dashboard
  records?: AuditRecord[]
  line?: Line
}

const unavailable = {
  error: 'The service is not available. Please try again.',
  code: 'unavailable',
  request_id: 'r',
}

/**
 * A fake office that follows the API documents, with or without a signed-in user. It records the requests; a test may
 * make a path fail or send a live event.
 */
export function openOffice(office: Office) {
  const seen: Seen[] = []
  const failing = new Map<string, { status: number; body: object }>()
  const held = new Map<string, Promise<undefined>>()
  const live = liveStream()
  const clock = { now: () => new Date() }
  const state = { ...office, visits: office.visits ?? [] }
  if (office.user) localStorage.setItem(keys.token, 'token-of-the-session')

  const answers: Record<string, () => object | null> = {
    'GET /api/auth/get-session': () =>
      state.user
        ? { session: { id: 's', token: 'token-of-the-session', userId: state.user.id }, user: state.user }
        : null,
    'POST /api/auth/sign-out': () => {
      state.user = null
      return { success: true }
    },
    'GET /api/services': () => ({ services: state.services ?? services }),
    'GET /api/users/consultants': () => ({ consultants: state.consultants ?? [] }),
    'GET /api/visits/today': () => ({ visits: state.visits }),
    'GET /api/visits/pending-approval': () => ({
      visits: state.visits.filter(({ status }) => status === 'new'),
    }),
    'GET /api/visits/line': () => state.line ?? lineOf(),
    'GET /api/visits/desks': () => ({ desks: state.line?.desks ?? [] }),
    'GET /api/visits/attention': () => ({ attention: [], nextAt: null }),
    'GET /api/analytics/dashboard': () => state.dashboard ?? dashboardOf(),
    'GET /api/analytics/audit': () => ({
      audit_records: state.records ?? [],
      pagination: { page: 1, limit: 50, total: state.records?.length ?? 0, pages: 1, capped: false },
    }),
    'POST /api/visits/lookup': () => ({ visitor: null }),
    'GET /api/appointments': () => ({
      appointments: [],
      pagination: { page: 1, limit: 20, total: 0, pages: 0 },
    }),
    'GET /api/due-dates': () => ({ dueDates: [] }),
    'GET /api/devices': () => ({ devices: [] }),
    'GET /api/office/settings': () => settingsOf(),
    'GET /api/office/setup': () => ({ setup: { dismissed: true, items: [] } }),
    'GET /api/visits/demand': () => ({ demand: { days: [], history: 0, early: true } }),
    'GET /api/stream/notifications': () => ({ notifications: [] }),
    'GET /api/visits/{id}/draft': () => ({ draft: { notes: '', savedAt: null } }),
    'PUT /api/visits/{id}/draft': () => ({ draft: { notes: '', savedAt: null } }),
    'GET /api/visits/{id}/earlier': () => ({ visits: [] }),
    'GET /api/calendars': () => ({ calendars: [] }),
    'GET /api/appointments/day': () => ({
      day: { date: '2026-11-20', open: true, name: '', spans: [], slots: [], appointments: [] },
    }),
    'GET /api/lobby/arrivals': () => ({ arrivals: [], returns: [] }),
    'GET /api/lobby/visits/{id}/link': () => ({
      link: {
        url: 'HTTPS://LEKHA.EXAMPLE/Q/7KM3XQ0F2ZB9C4T8WJ1D',
        opens: 0,
        told: [],
        expires: '2026-11-20T15:30:00.000Z',
      },
    }),
  }

  server.use(
    http.all('*/api/*', async ({ request }) => {
      const url = new URL(request.url)
      const text = await request.clone().text()
      const call = `${request.method} ${url.pathname}`
      seen.push({
        method: request.method,
        path: url.pathname,
        query: url.searchParams,
        body: text ? (JSON.parse(text) as unknown) : undefined,
        headers: request.headers,
      })
      await held.get(call)
      const failure = failing.get(call)
      if (failure) return HttpResponse.json(failure.body, { status: failure.status })
      if (url.pathname === '/api/stream') return live.answer(request.headers.get('Last-Event-ID'))
      if (url.pathname === '/api/office' || url.pathname === '/office.json')
        return new HttpResponse(null, { status: 404 })
      const answer = answers[call] ?? answers[call.replace(ofVisit, '{id}')]
      if (answer) return HttpResponse.json(answer(), { headers: { Date: clock.now().toUTCString() } })
      if (state.user && call === `GET /api/users/${state.user.id}`)
        return HttpResponse.json({ data: state.user })
      return undefined
    }),
    http.get('*/office.json', () => new HttpResponse(null, { status: 404 })),
  )

  return {
    state,
    seen,
    clock,
    send: live.send,
    cutStream: live.cut,
    requests: (call: string) => seen.filter(({ method, path }) => `${method} ${path}` === call),
    fail: (call: string, status = 503, body: object = unavailable) => failing.set(call, { status, body }),
    mend: (call: string) => failing.delete(call),
    /** Holds the response back until the returned function is called. */
    hold(call: string) {
      const { promise, resolve } = Promise.withResolvers<undefined>()
      held.set(call, promise)
      return () => resolve(undefined)
    },
    answer: (call: string, answer: () => object | null) => (answers[call] = answer),
  }
}

/** The id in the path of a request about one visit. */
const ofVisit = /(?<=\/visits\/)(?!desks)[^/]+(?=\/\w+$)/

/** The server's side of the live stream. */
function liveStream(): {
  answer: (after: string | null) => HttpResponse<BodyInit>
  send: (event: LiveEvent) => void
  cut: () => void
} {
  const readers = new Set<ReadableStreamDefaultController<Uint8Array>>()
  const sent: { seq: number; bytes: Uint8Array<ArrayBuffer> }[] = []
  let missed: Uint8Array<ArrayBuffer>[] = []
  const encoder = new TextEncoder()
  let seq = 0
  const frame = (event: LiveEvent) => {
    seq += 1
    return encoder.encode(`id: realtime=e:0;visits=e:${seq}\ndata: ${JSON.stringify(event)}\n\n`)
  }
  return {
    /** After an interruption, a stream begins with the events that the page has not received. */
    answer(after) {
      const last = /visits=e:(\d+)/.exec(after ?? '')?.[1]
      let own: ReadableStreamDefaultController<Uint8Array> | undefined
      const body = new ReadableStream<Uint8Array>({
        start(reader) {
          own = reader
          readers.add(reader)
          reader.enqueue(
            frame({
              type: 'connection',
              data: { connectionId: 'c', activeConnections: 1, resumed: seq > 0, heartbeatSeconds: 5 },
            }),
          )
          const late =
            last === undefined
              ? missed
              : sent.filter((one) => one.seq > Number(last)).map(({ bytes }) => bytes)
          late.forEach((event) => reader.enqueue(event))
          missed = []
        },
        // The page has closed the stream, as after a long silence on a slow machine.
        cancel() {
          if (own) readers.delete(own)
        },
      })
      // A length that is never reached: without a length, Node's client takes an aborted stream for a complete one.
      const headers = { 'Content-Type': 'text/event-stream', 'Content-Length': '1000000000' }
      return new HttpResponse(body, { headers })
    },
    /** An event that is sent while no stream is open is part of the next stream. */
    send(event: LiveEvent) {
      const next = frame(event)
      sent.push({ seq, bytes: next })
      if (readers.size === 0) missed.push(next)
      readers.forEach((reader) => reader.enqueue(next))
    },
    cut() {
      readers.forEach((reader) => reader.error(new Error('the stream broke')))
      readers.clear()
    },
  }
}
