import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Call } from '@/board/calls'
import { Packs } from './packs'
import { CallQueue } from './queue'
import { languagesOf, Speaker } from './speaker'
import { isQuiet } from './voice'

const seconds = 1_000

type Played = { clip: string; from: number; until: number }

/** An audio context whose clock is that of the fake timers. A decoded clip keeps its name and lasts half a second. */
function audio() {
  const started = Date.now()
  const played: Played[] = []
  const node = () => ({ connect: (to: unknown) => to })
  const param = () => ({ value: 0, setValueAtTime: () => 0, exponentialRampToValueAtTime: () => 0 })
  const context = {
    get currentTime() {
      return (Date.now() - started) / seconds
    },
    destination: {},
    createGain: () => ({ ...node(), gain: param() }),
    createOscillator: () => ({
      ...node(),
      frequency: param(),
      start: (at: number) => played.push({ clip: 'chime', from: at, until: at }),
      stop: () => undefined,
    }),
    createBufferSource: () => {
      const source = {
        ...node(),
        buffer: { duration: 0, clip: '' },
        start: (at: number) =>
          played.push({ clip: source.buffer.clip, from: at, until: at + source.buffer.duration }),
      }
      return source
    },
    decodeAudioData: (bytes: ArrayBuffer) =>
      Promise.resolve({ duration: 0.5, clip: new TextDecoder().decode(bytes) }),
  }
  return { context: context as unknown as AudioContext, played }
}

/** A pack in which the bytes of each clip are the clip's own name. */
function packOf(language: string) {
  const names = ['token', 'counter', ...Array.from({ length: 100 }, (_, n) => String(n)), 'h1']
  const clips: Record<string, [number, number]> = {}
  let text = ''
  for (const name of names) {
    const clip = `${language} ${name}`
    clips[name] = [text.length, clip.length]
    text += clip
  }
  return { manifest: { digest: 'd', clips }, text }
}

beforeEach(() => {
  vi.useFakeTimers({ now: 1_000_000 })
  vi.stubGlobal('fetch', (address: string) => {
    const [, language = '', kind] = /^\/voice\/(\w+)\.(json|pack)/.exec(address) ?? []
    const { manifest, text } = packOf(language)
    return Promise.resolve(new Response(kind === 'json' ? JSON.stringify(manifest) : text))
  })
})

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const callOf = (number: number, more: Partial<Call> = {}): Call => ({
  callId: `v${number}:1`,
  visitId: `v${number}`,
  token: `T-${String(number).padStart(3, '0')}`,
  counter: '3',
  at: Date.now(),
  callCount: 1,
  language: '',
  ...more,
})

function voiceOf(languages: ('en' | 'hi')[] = ['en']) {
  const { context, played } = audio()
  const speaker = new Speaker(context, new Packs(context, 'device-of-the-test'), {
    order: languages,
    most: 2,
  })
  const said: { token: string; from: number; until: number }[] = []
  const queue = new CallQueue({
    now: () => Date.now(),
    say: async (call, waiting) => {
      const times = await speaker.say(call, waiting)
      said.push({ token: call.token, ...times })
    },
  })
  return { queue, played, said }
}

test('fifty calls in five seconds are fifty announcements in order, without an overlap', async () => {
  const { queue, played, said } = voiceOf()
  for (let number = 1; number <= 50; number += 1) {
    queue.add(callOf(number))
    await vi.advanceTimersByTimeAsync(100)
  }
  await vi.advanceTimersByTimeAsync(400 * seconds)
  expect(said.map(({ token }) => token)).toEqual(
    Array.from({ length: 50 }, (_, index) => callOf(index + 1).token),
  )
  const overlaps = said.filter(({ from }, index) => from < (said[index - 1]?.until ?? -1) + 0.4)
  expect(overlaps).toEqual([])
  const sounds = played.filter(({ clip }) => clip !== 'chime')
  expect(sounds.filter(({ from }, index) => from < (sounds[index - 1]?.until ?? 0))).toEqual([])
})

test('with a backlog the digits and the second language are left out', async () => {
  const { queue, played } = voiceOf(['en', 'hi'])
  for (let number = 31; number <= 38; number += 1) queue.add(callOf(number, { language: 'hi' }))
  await vi.advanceTimersByTimeAsync(200 * seconds)
  const clips = played.map(({ clip }) => clip).filter((clip) => clip !== 'chime')
  const first = ['hi token', 'hi 31', 'hi 3', 'hi 1', 'hi counter', 'hi 3', 'en token', 'en 31']
  // The first call waits alone. Then seven wait, so the second is said only in the office's first language.
  expect(clips.slice(0, 8)).toEqual(first)
  expect(clips.slice(12, 16)).toEqual(['en token', 'en 32', 'en counter', 'en 3'])
  // Call 36, one of three: in the visitor's language, without digits. Call 38, the last: in both languages.
  expect(clips.join(' ')).toContain('hi token hi 36 hi counter hi 3 hi token')
  expect(clips.join(' ')).toContain('hi token hi 38 hi 3 hi 8 hi counter hi 3 en token en 38')
})

test('a call older than a minute is not said, and one whose turn comes late is', async () => {
  const { queue, said } = voiceOf()
  queue.add(callOf(1, { at: Date.now() - 61 * seconds }))
  queue.add(callOf(2, { at: Date.now() - 59 * seconds }))
  for (let number = 3; number <= 40; number += 1) queue.add(callOf(number))
  await vi.advanceTimersByTimeAsync(300 * seconds)
  expect(said.map(({ token }) => token)).toEqual(
    Array.from({ length: 39 }, (_, index) => callOf(index + 2).token),
  )
  expect(said.at(-1)?.from).toBeGreaterThan(61)
})

test('a repeated call of a token that waits takes its place', async () => {
  const { queue, said, played } = voiceOf()
  ;[1, 2, 3].forEach((number) => queue.add(callOf(number)))
  queue.add(callOf(2, { callId: 'v2:2', counter: '7' }))
  await vi.advanceTimersByTimeAsync(100 * seconds)
  expect(said.map(({ token }) => token)).toEqual(['T-001', 'T-002', 'T-003'])
  expect(played.filter(({ clip }) => clip === 'en 7')).toHaveLength(1)
})

test('the visitor hears the own language first, then those of the office, as many as it says', () => {
  expect(languagesOf('ta', { order: ['en', 'kn'], most: 2 })).toEqual(['ta', 'en'])
  expect(languagesOf('en', { order: ['en', 'kn'], most: 2 })).toEqual(['en', 'kn'])
  expect(languagesOf('', { order: ['kn', 'en', 'hi'], most: 2 })).toEqual(['kn', 'en'])
  expect(languagesOf('hi', { order: ['kn', 'en'], most: 3 })).toEqual(['hi', 'kn', 'en'])
  expect(languagesOf('bn', { order: ['en'], most: 1 })).toEqual(['en'])
})

test.each([
  ['13:00', '14:30', '13:00', true],
  ['13:00', '14:30', '14:30', false],
  ['20:00', '07:00', '23:00', true],
  ['20:00', '07:00', '06:59', true],
  ['20:00', '07:00', '12:00', false],
])('quiet from %s until %s: at %s %s', (quietFrom, quietUntil, time, quiet) => {
  expect(isQuiet({ volume: 80, quietFrom, quietUntil }, time)).toBe(quiet)
})

test('without quiet hours it is never quiet', () => {
  expect(isQuiet({ volume: 80, quietFrom: null, quietUntil: null }, '13:00')).toBe(false)
})
