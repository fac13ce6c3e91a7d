import 'fake-indexeddb/auto'
import { IDBFactory } from 'fake-indexeddb'
import { QueryClient } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Visit } from '@/api/types'
import type { Registration } from '@/features/visits/data/mutations'
import { visitOf } from '@/test/fixtures'
import type * as Server from './server'

type Sent = Parameters<typeof Server.send>[0]['visits'][number]
type Done = Awaited<ReturnType<typeof Server.send>>

/** Stands for the server of this desk. */
const server = vi.hoisted(() => ({
  answers: true,
  days: [] as { day: string; last: number }[],
  contacts: [] as number[],
  send: vi.fn<(visits: Sent[]) => Promise<Done>>(),
}))
vi.mock('./server', () => ({
  isCut: ({ status }: { status: number }) => status === 0,
  answers: () => Promise.resolve(server.answers),
  lease: (unsent: number) => {
    server.contacts.push(unsent)
    return Promise.resolve({
      device: { series: 'A', name: 'Desk A' },
      days: server.days,
      now: new Date().toISOString(),
    })
  },
  send: ({ visits }: { visits: Sent[] }) => server.send(visits),
}))

const day = '2026-11-27'
const taken = (visits: readonly Sent[]) =>
  Promise.resolve(visits.map(({ number }) => ({ number, state: 'created', visit: null })) as Done)
/** Makes an error that the opened page recognizes: each page has its own modules, and so its own class. */
const fault = async (status: number, code?: string) => {
  const { Fault } = await import('@/api/fault')
  return new Fault('failed', { status, ...(code ? { code } : {}) })
}
const fails = (status: number, code?: string) => async () => {
  throw await fault(status, code)
}

beforeEach(() => {
  vi.useFakeTimers({
    now: Date.parse(`${day}T11:00:00+05:30`),
    toFake: ['setTimeout', 'setInterval', 'Date'],
  })
  // Isolates the page from those of other tests.
  vi.stubGlobal(
    'BroadcastChannel',
    class extends EventTarget {
      postMessage = () => undefined
    },
  )
  globalThis.indexedDB = new IDBFactory()
  Object.assign(server, { answers: true, contacts: [], days: [{ day, last: 0 }] })
  server.send.mockReset().mockImplementation(taken)
  const request = (_name: string, _options: object, work: (lock: object) => unknown) => work({})
  Object.assign(navigator, { locks: { request }, storage: { persisted: () => Promise.resolve(true) } })
})

afterEach(() => {
  vi.clearAllTimers()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const registration = (number: number): Registration => ({
  visit: { name: `Visitor ${number}`, phone: '9876543210', serviceId: 'service-1' },
  key: `key-of-${number}`,
})

/** Opens the page of the desk; what is stored stays. */
async function open() {
  vi.resetModules()
  const client = new QueryClient()
  const [desk, noted, state, store, register, unsent] = await Promise.all([
    import('./start'),
    import('./noted'),
    import('./state'),
    import('./store'),
    import('./register-here'),
    import('./unsent-rows'),
  ])
  const numbers = async () => (await store.notedRows()).map(({ number }) => number)
  const give = (number: number) => noted.giveToken(client, registration(number))
  const mode = () => state.deskState().mode
  const problem = () => state.deskState().problem
  return { client, numbers, give, mode, problem, ...desk, ...noted, ...store, ...register, ...unsent }
}

/** A desk that is offline and has unsent visitors. The server answers again. */
async function cutOff(visitors: number) {
  const page = await open()
  await page.startDesk(page.client)
  server.answers = false
  page.goOffline(page.client)
  const visits: Visit[] = []
  for (let number = 1; number <= visitors; number += 1) visits.push(await page.give(number))
  server.answers = true
  return { ...page, visits }
}

/** Advances the desk's time until a condition holds. Storage and cipher of the desk use no fake timers. */
async function until(isSo: () => boolean | Promise<boolean>) {
  while (!(await isSo())) {
    await vi.advanceTimersByTimeAsync(250)
    await new Promise((resolve) => setImmediate(resolve))
  }
}

for (const [status, code] of [[500], [503], [403, 'forbidden'], [401]] as const) {
  test(`an answer ${status} to what a desk sends is not the last try`, async () => {
    server.send.mockImplementationOnce(fails(status, code))
    const { mode, numbers } = await cutOff(2)
    await until(() => mode() === 'online')
    expect(await numbers()).toEqual([])
  })
}

test('one visit that the server rejects does not keep the others and the desk from it', async () => {
  server.send.mockImplementation((visits) =>
    visits.some(({ number }) => number === 2) ? fails(400, 'validation')() : taken(visits),
  )
  const { mode, notedRows } = await cutOff(3)
  await until(() => mode() === 'online')
  expect((await notedRows()).map(({ number, refused }) => [number, refused])).toEqual([[2, 'validation']])
})

test('a visit that cannot be read is kept and shown, and the others are sent', async () => {
  const page = await cutOff(3)
  const [, damaged] = await page.notedRows()
  if (damaged) await page.replaceRow(damaged, { iv: damaged.iv, body: new ArrayBuffer(40) })
  await until(() => page.mode() === 'online')
  expect(server.send.mock.calls.flatMap(([visits]) => visits.map(({ number }) => number))).toEqual([1, 3])
  expect((await page.notedRows()).map(({ number, refused }) => [number, refused])).toEqual([
    [2, 'unreadable'],
  ])
  const shown = await page.client.query(page.unsentQuery(1))
  expect(shown.map(({ number, noted }) => [number, noted])).toEqual([[2, undefined]])
  expect(page.problem()).toBe('refused')
})

test('that a visitor has left is sent when it is noted while the visit is being sent', async () => {
  const { client, noteLeft, mode, numbers, visits } = await cutOff(1)
  let answered: () => void = () => undefined
  server.send.mockImplementationOnce(async (sent) => {
    await new Promise<void>((resolve) => (answered = resolve))
    return taken(sent)
  })
  await until(() => server.send.mock.calls.length === 1)
  await noteLeft(client, visits[0]?.id ?? '')
  answered()
  await until(() => mode() === 'online')
  expect(server.send.mock.calls.map(([[visit]]) => visit?.left_at !== undefined)).toEqual([false, true])
  expect(await numbers()).toEqual([])
})

test('papers and a departure that are noted at the same time are both kept', async () => {
  const { client, mode, noteLeft, notePapers, notedPapers, visits } = await cutOff(1)
  const id = visits[0]?.id ?? ''
  await Promise.all([
    noteLeft(client, id),
    notePapers(client, id, [{ label: 'PAN card', required: true, state: 'missing' }]),
  ])
  expect((await notedPapers(id)).documents).toHaveLength(1)
  await until(() => mode() === 'online')
  const [sent] = server.send.mock.calls.at(-1)?.[0] ?? []
  expect([sent?.left_at !== undefined, sent?.documents?.length]).toEqual([true, 1])
})

test('a note of a visitor who was sent meanwhile is refused with a sentence', async () => {
  const { client, mode, noteLeft, visits } = await cutOff(1)
  await until(() => mode() === 'online')
  await expect(noteLeft(client, visits[0]?.id ?? '')).rejects.toThrow('This visitor was sent meanwhile.')
})

test('who opens a desk with visitors to send is known to the server before they are sent', async () => {
  await cutOff(2)
  vi.clearAllTimers()
  server.contacts = []
  const { client, startDesk } = await open()
  await startDesk(client)
  expect(server.contacts).toEqual([2])
  expect(server.send).not.toHaveBeenCalled()
})

test('another person at the desk is made known to the server, the same one is not again', async () => {
  const page = await open()
  const { keepPerson, keptPerson } = await import('./person')
  const session = (id: string) =>
    ({ session: { token: 'token' }, user: { id } }) as Parameters<typeof keepPerson>[0]
  for (const id of ['reception', 'reception', 'reception2']) await keepPerson(session(id))
  expect(server.contacts).toEqual([0, 0])
  expect((await keptPerson())?.user?.id).toBe('reception2')
  expect(page.mode()).toBe('online')
})

test('a visitor noted three weeks ago is sent', async () => {
  await cutOff(1)
  vi.clearAllTimers()
  vi.setSystemTime(Date.now() + 21 * 86_400_000)
  const { client, mode, startDesk, numbers } = await open()
  await startDesk(client)
  await until(() => mode() === 'online')
  expect(server.send).toHaveBeenCalledTimes(1)
  expect(await numbers()).toEqual([])
})

test('a day for which the desk had no permission does not keep back the days after it', async () => {
  await cutOff(1)
  vi.clearAllTimers()
  vi.setSystemTime(Date.now() + 86_400_000)
  server.days = [{ day: '2026-11-28', last: 0 }]
  const page = await open()
  await page.contact()
  await page.give(9)
  server.send.mockImplementation((visits) =>
    visits.some(({ key }) => key === 'key-of-1') ? fails(422, 'no_lease')() : taken(visits),
  )
  await page.startDesk(page.client)
  await until(() => page.mode() === 'online')
  const rows = (await page.notedRows()).map((row) => [row.day, row.refused])
  expect(rows).toEqual([[day, 'no_lease']])
})

test('a start that failed once keeps no visitor from being registered, and is made again', async () => {
  const page = await open()
  navigator.storage.persisted = () => Promise.reject(new Error('the disk is busy'))
  const register = (number: number) =>
    page.registerAtPairedDesk(page.client, registration(number), () => Promise.resolve(visitOf(number)))
  expect((await register(1)).token).toBe(visitOf(1).token)
  navigator.storage.persisted = () => Promise.resolve(true)
  await register(2)
  server.answers = false
  const given = await page.registerAtPairedDesk(page.client, registration(3), fails(0))
  expect(given.token).toBe('A-001')
})
