import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Packs } from './packs'
import { eventually } from '@/test/eventually'

const clipOf = (content: string) => ({ content }) as unknown as AudioBuffer
const context = {
  decodeAudioData: (bytes: ArrayBuffer) => Promise.resolve(clipOf(new TextDecoder().decode(bytes))),
} as unknown as BaseAudioContext

let server: Record<string, unknown> = {}
let asked: string[] = []
const kept = new Map<string, Response>()

beforeEach(() => {
  asked = []
  kept.clear()
  server = {
    '/voice/kn.json': { digest: 'd', clips: { token: [0, 7] } },
    '/voice/kn.pack?d': 'shipped',
  }
  vi.stubGlobal('fetch', (path: string) => {
    asked.push(path)
    const answer = server[path]
    if (answer === undefined) return Promise.reject(new TypeError('offline'))
    return Promise.resolve(typeof answer === 'string' ? new Response(answer) : Response.json(answer))
  })
  vi.stubGlobal('caches', {
    open: () =>
      Promise.resolve({
        match: (key: string) => Promise.resolve(kept.get(key)?.clone()),
        put: (key: string, response: Response) => Promise.resolve(kept.set(key, response)),
        keys: () => Promise.resolve([...kept.keys()].map((key) => ({ url: `https://desk.example${key}` }))),
        delete: ({ url }: { url: string }) => {
          const { pathname, search } = new URL(url)
          return Promise.resolve(kept.delete(pathname + search))
        },
      }),
  })
})

afterEach(() => vi.unstubAllGlobals())

function record(version: number, content: string) {
  server['/api/office/voice/kn'] = {
    pack: { language: 'kn', version, speaker: 'Asha', recordedAt: '', recordedBy: '' },
    clips: { token: [0, content.length] },
    bytes: btoa(content),
  }
  return [{ language: 'kn', version }]
}

const tokenOf = async (packs: Packs) =>
  (await packs.clip('kn', 'token')) as unknown as { content: string } | null

test('the voice of the office is preferred, its next take is used without a reload, and it is kept', async () => {
  const packs = new Packs(context, 'secret')
  expect((await tokenOf(packs))?.content).toBe('shipped')
  packs.setRecorded(record(1, 'asha 1'))
  expect((await tokenOf(packs))?.content).toBe('asha 1')
  packs.setRecorded(record(2, 'asha 2'))
  expect((await tokenOf(packs))?.content).toBe('asha 2')
  await eventually(() => expect([...kept.keys()]).toEqual(['/voice/recorded/kn?2']))

  // The board starts again without the server.
  server = {}
  const later = new Packs(context, 'secret')
  later.setRecorded([{ language: 'kn', version: 2 }])
  expect((await tokenOf(later))?.content).toBe('asha 2')
})

test('a deleted voice is not heard any more, and not kept', async () => {
  const packs = new Packs(context, 'secret')
  packs.setRecorded(record(1, 'asha 1'))
  expect((await tokenOf(packs))?.content).toBe('asha 1')
  packs.setRecorded([])
  expect((await tokenOf(packs))?.content).toBe('shipped')
  await eventually(() => expect(kept.size).toBe(0))
})

test('while the voice of the office cannot be read the shipped one speaks, and it is asked for again', async () => {
  const packs = new Packs(context, 'secret')
  packs.setRecorded([{ language: 'kn', version: 1 }])
  expect((await tokenOf(packs))?.content).toBe('shipped')
  record(1, 'asha 1')
  expect((await tokenOf(packs))?.content).toBe('asha 1')
  const reads = asked.length
  expect((await tokenOf(packs))?.content).toBe('asha 1')
  expect(asked).toHaveLength(reads)
})
