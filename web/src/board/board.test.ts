import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Board } from './board'
import type { Call } from './calls'
import { keep, recall } from './kept'
import type { follow } from './live'

type Handlers = Parameters<typeof follow>[1]

const stream = vi.hoisted((): { handlers?: Handlers } => ({}))
vi.mock('./live', () => ({
  follow: (_device: object, handlers: Handlers) => (stream.handlers = handlers),
}))
// jsdom cannot play sound.
vi.mock('./voice/voice', () => ({
  isQuiet: () => false,
  Voice: class {
    state = 'off'
    waiting = 0
    setRecorded = vi.fn()
    setLanguages = vi.fn()
    setSettings = vi.fn()
    say = vi.fn()
    drop = vi.fn()
  },
}))

const device = { id: '01890a5d-ac96-774b-bcce-b302099a8057', token: 'device-of-the-test' }
const evening = Date.parse('2026-11-27T23:50:00+05:30')

const call = (number: number, at = Date.now()): Call => ({
  callId: `v${number}:${at}`,
  visitId: `v${number}`,
  token: `T-${number}`,
  counter: '1',
  at,
  callCount: 1,
  language: 'en',
})

const office = { brand: 'Baari', area: '', timeZone: 'Asia/Kolkata', languages: ['en', 'kn', 'hi'] }

type Answer = (calls: readonly Call[], status?: number) => Promise<void>
/** The requests for the board that have no answer yet. */
let asked: Answer[] = []

const json = (body: object, status = 200) =>
  new Response(JSON.stringify(body), { status, headers: { Date: new Date().toUTCString() } })

beforeEach(() => {
  vi.useFakeTimers({ now: evening })
  asked = []
  const fetched = (input: RequestInfo | URL): Promise<Response> => {
    const path = input instanceof Request ? input.url : String(input)
    if (path === '/api/visits/board')
      return new Promise((resolve) =>
        asked.push(async (calls, status = 200) => {
          const shown = calls.map((one) => ({ ...one, at: new Date(one.at).toISOString() }))
          resolve(json({ calls: shown, serving: [], next: [], day: '2026-11-27' }, status))
          await vi.advanceTimersByTimeAsync(0)
        }),
      )
    if (path === '/api/office') return Promise.resolve(json(office))
    return Promise.resolve(json({ device: { volume: 0, quietFrom: null, quietUntil: null }, packs: [] }))
  }
  vi.stubGlobal('fetch', fetched)
})

afterEach(() => {
  vi.clearAllTimers()
  vi.useRealTimers()
  vi.unstubAllGlobals()
  document.body.replaceChildren()
})

function open() {
  const root = document.createElement('div')
  document.body.append(root)
  new Board(root).start(device)
  const text = (selector: string) => root.querySelector(selector)?.textContent ?? ''
  const rows = () => [...root.querySelectorAll('.board-earlier .board-token')].map((row) => row.textContent)
  return { current: () => text('.call-token'), earlier: () => rows().filter((row) => row !== '') }
}

/** Waits until the board has requested the calls after a change. */
const read = () => vi.advanceTimersByTimeAsync(300)

const answer = async (calls: readonly Call[], status?: number) => {
  await read()
  await asked.shift()?.(calls, status)
}

test('a call that is undone leaves the board, also when no other call is left', async () => {
  const { current } = open()
  await answer([])
  stream.handlers?.onCall(call(1))
  stream.handlers?.onChange()
  expect(current()).toBe('T-1')
  await answer([call(1)])
  stream.handlers?.onChange()
  await answer([])
  expect(current()).toBe('')
  expect(recall('calls')).toEqual([])
})

test('a call that is undone does not come back with a reload', async () => {
  keep('calls', [call(1)])
  const { current } = open()
  expect(current()).toBe('T-1')
  await answer([])
  expect(current()).toBe('')
})

test('a call that comes while an older state is read stays', async () => {
  const { current } = open()
  await read()
  stream.handlers?.onCall(call(1))
  await asked.shift()?.([])
  expect(current()).toBe('T-1')
})

test('an answer that was overtaken by a later one changes nothing', async () => {
  const { current } = open()
  await read()
  stream.handlers?.onChange()
  await read()
  const [first, second] = asked
  await second?.([])
  await first?.([call(1)])
  expect(current()).toBe('')
})

test('at midnight the calls of the day leave the board without an event, and the new day is read', async () => {
  const { earlier, current } = open()
  await answer([call(2, evening - 600_000), call(1, evening - 700_000)])
  expect(earlier()).toEqual(['T-2', 'T-1'])
  await vi.advanceTimersByTimeAsync(11 * 60_000)
  expect(earlier()).toEqual([])
  expect(current()).toBe('')
  expect(asked).toHaveLength(1)
})

test('a board that starts in the morning without the server shows no call of yesterday', async () => {
  keep('calls', [call(1, evening - 600_000)])
  vi.setSystemTime(evening + 9 * 3_600_000)
  const { earlier } = open()
  await read()
  expect(earlier()).toEqual([])
})

test('an answer that fails is asked for again without an event', async () => {
  const { current } = open()
  await answer([call(1)])
  stream.handlers?.onChange()
  await answer([], 500)
  expect(current()).toBe('T-1')
  await vi.advanceTimersByTimeAsync(6_000)
  await asked.shift()?.([])
  expect(current()).toBe('')
})

test('a board is idle ten minutes after the last call, and an empty pairing form is', async () => {
  const root = document.createElement('div')
  document.body.append(root)
  const board = new Board(root)
  board.askForCode()
  expect(board.isIdle()).toBe(true)
  const code = root.querySelector('input')
  if (code) code.value = 'AB'
  expect(board.isIdle()).toBe(false)
  board.start(device)
  await answer([call(1)])
  expect(board.isIdle()).toBe(false)
  await vi.advanceTimersByTimeAsync(601_000)
  expect(board.isIdle()).toBe(true)
})

test('a pairing code that is typed without hyphens is shown in groups of four', () => {
  const root = document.createElement('div')
  document.body.append(root)
  new Board(root).askForCode()
  const code = root.querySelector('input')
  if (!code) throw new Error('no field')
  for (const [typed, shown] of [
    ['k7m4', 'K7M4'],
    ['k7m42', 'K7M4-2'],
    ['K7M4-2qxd 9trb', 'K7M4-2QXD-9TRB'],
    ['K7M4-2QXD-9TRBX', 'K7M4-2QXD-9TRB'],
  ] as const) {
    code.value = typed
    code.dispatchEvent(new Event('input'))
    expect(code.value).toBe(shown)
  }
})

test('the pairing form is in the language of the person who pairs, the board in that of the office', async () => {
  vi.stubGlobal('navigator', { languages: ['fr-FR', 'kn-IN', 'en'] })
  const root = document.createElement('div')
  document.body.append(root)
  const board = new Board(root)
  board.askForCode()
  await read()
  expect(document.documentElement.lang).toBe('kn-IN')
  expect(root.querySelector('h1')?.textContent).toBe('ಈ ಪರದೆಯನ್ನು ಜೋಡಿಸಿ')
  board.start(device)
  expect(document.documentElement.lang).toBe('en-IN')
})
