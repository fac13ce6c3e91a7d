import type { Page } from '@playwright/test'
import type { components as Auth } from '@/api/auth'
import type { components as Visits } from '@/api/visits'
import type { Language } from '@/locales/languages'

export type Call = Visits['schemas']['BoardCall']
type Serving = Visits['schemas']['BoardServing']
type Device = Auth['schemas']['Device']

/**
 * What the server answers to a paired screen. Tests change this object. The stream sends the calls of `news` once, and
 * later answers contain them.
 */
export type Office = {
  languages: Language[]
  calls: Call[]
  serving: Serving[]
  next: string[]
  board: { next: number; notice: string }
  checkIn: 'off' | 'confirm'
  news: Call[]
  volume: number
  /** The office's day in the answers. */
  day: string
  /** If true, all requests of the screen fail, except the one for the office's document. */
  away: boolean
  reports: { voice: string; queue: number }[]
}

export const call = (number: number, counter: string | null, more: Partial<Call> = {}): Call => ({
  callId: `01890a5d-ac96-774b-bcce-${String(number).padStart(12, '0')}:1`,
  visitId: `01890a5d-ac96-774b-bcce-${String(number).padStart(12, '0')}`,
  token: `T-${String(number).padStart(3, '0')}`,
  counter,
  at: new Date().toISOString(),
  callCount: 1,
  language: 'en',
  ...more,
})

const ago = (seconds: number) => new Date(Date.now() - seconds * 1000).toISOString()

/** The answers on a busy morning: eight calls, four visitors in session, the next four, and tokens by phone. */
export const morning = (): Pick<Office, 'calls' | 'serving' | 'next' | 'board' | 'checkIn' | 'volume'> => ({
  calls: [
    call(42, '3', { at: ago(2) }),
    call(41, '1', { at: ago(200) }),
    call(34, '4', { at: ago(260) }),
    call(39, '12', { at: ago(400) }),
    call(40, '2', { at: ago(600) }),
    call(37, '3', { at: ago(800) }),
    call(35, '1', { at: ago(900) }),
    call(33, 'First floor', { at: ago(1000) }),
  ],
  serving: [
    { token: 'T-041', counter: '1' },
    { token: 'T-040', counter: '2' },
    { token: 'T-036', counter: '5' },
    { token: 'T-039', counter: '12' },
  ],
  next: ['T-043', 'T-038', 'T-044', 'T-045'],
  board: { next: 4, notice: '' },
  checkIn: 'confirm',
  volume: 80,
})

const device: Device = {
  id: '01890a5d-ac96-774b-bcce-b302099a8057',
  kind: 'display',
  name: 'Waiting room',
  series: null,
  volume: 80,
  quietFrom: null,
  quietUntil: null,
  voice: 'on',
  queue: 0,
  pairedAt: ago(0),
  lastSeenAt: ago(0),
  revokedAt: null,
  createdAt: ago(0),
}

const frame = (type: string, data: object) => `data: ${JSON.stringify({ type, data })}\n\n`

const shown = ({ calls, serving, next }: Office) => ({ calls, serving, next })

/** Answers a paired screen's requests. The stream ends after its frames, and the screen opens it again. */
export async function stub(page: Page, more: Partial<Office> = {}): Promise<Office> {
  const office: Office = {
    languages: ['en'],
    calls: [],
    serving: [],
    next: [],
    board: { next: 0, notice: '' },
    checkIn: 'off',
    news: [],
    day: '2026-11-26',
    volume: 0,
    away: false,
    reports: [],
    ...more,
  }
  await page.addInitScript((id) => {
    localStorage.setItem('baari.board.device', JSON.stringify({ id, token: 'device-of-the-test' }))
  }, device.id)
  // The document is read only once: a read during a navigation of the page would fail the next test.
  const document = (await (await page.request.get('/api/office')).json()) as object
  await page.route('**/api/office', (route) => {
    const { languages, board, checkIn } = office
    return route.fulfill({ json: { ...document, languages, board, checkIn } })
  })
  await page.route('**/api/visits/board', (route) =>
    office.away ? route.abort() : route.fulfill({ json: { ...shown(office), day: office.day } }),
  )
  await page.route('**/api/office/voice', (route) =>
    office.away ? route.abort() : route.fulfill({ json: { packs: [] } }),
  )
  await page.route('**/api/devices/seen', (route) => {
    if (office.away) return route.abort()
    office.reports.push(route.request().postDataJSON() as Office['reports'][0])
    return route.fulfill({ json: { device: { ...device, volume: office.volume } } })
  })
  await page.route('**/api/stream?**', (route) => {
    if (office.away) return route.abort()
    const news = office.news.splice(0)
    office.calls = [...news.toReversed(), ...office.calls.filter((one) => !news.includes(one))].slice(0, 8)
    const frames = news.map(({ counter, ...rest }) =>
      frame('visit_called', { ...rest, ...(counter === null ? {} : { counter }), day: office.day }),
    )
    const welcome = frame('connection', {
      connectionId: 'c',
      activeConnections: 1,
      resumed: false,
      heartbeatSeconds: 5,
    })
    return route.fulfill({ contentType: 'text/event-stream', body: welcome + frames.join('') })
  })
  return office
}
