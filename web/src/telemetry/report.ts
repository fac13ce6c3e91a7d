import type { components } from '@/api/realtime'

type Item = components['schemas']['TelemetryItem']

/** The server takes 50 measurements and 4 KiB at once. */
const mostItems = 20
/** An office of many desks shares one address, of which the server takes ten reports a minute. */
export const everyMs = 60_000
/** Of so many page loads vitals and times are told; errors and lost streams are told of all. */
export const share = 0.25

const screenOf = (path: string) => (/^\/[a-z/-]{0,60}$/.test(path) ? { screen: path } : {})

type Tools = { send: (body: string) => void; path: () => string; chance: () => number; now: () => number }

/** Gathers what this page measures and tells it in batches: nothing that says who or what was on the screen. */
export function createReporter({ send, path, chance, now }: Tools) {
  const sampled = chance() < share
  let measures: { item: Item; at: number }[] = []
  const counts = new Map<string, Item>()
  let timer: ReturnType<typeof setTimeout> | undefined

  function flush() {
    clearTimeout(timer)
    timer = undefined
    const items = [...counts.values(), ...measures.map(aged)].slice(0, mostItems)
    counts.clear()
    measures = []
    if (items.length > 0) send(JSON.stringify({ items }))
  }

  /** What belongs to a trace says how long ago it was. */
  const aged = ({ item, at }: (typeof measures)[number]): Item =>
    item.traceparent ? { ...item, ago: Math.min(Math.round(now() - at), 600_000) } : item

  const plan = () => (timer ??= setTimeout(flush, everyMs))

  const measure = (item: Item) => {
    if (!sampled) return
    measures.push({ item, at: now() })
    if (measures.length >= mostItems) flush()
    else plan()
  }

  const count = (kind: 'error' | 'reconnect', name: string) => {
    const item = { kind, name, value: 1, ...screenOf(path()) }
    const key = [kind, name, item.screen].join(' ')
    const before = counts.get(key)
    if (before) before.value = Math.min(before.value + 1, 1000)
    else if (counts.size < mostItems) counts.set(key, item)
    plan()
  }

  return {
    flush,
    /** A web vital, in milliseconds or as its own score. */
    vital: (name: string, value: number) => measure({ kind: 'vital', name, value, ...screenOf(path()) }),
    /** A live event is on the screen so many milliseconds after it came. */
    shown: (value: number, traceparent?: string) =>
      measure({
        kind: 'shown',
        name: 'event',
        value,
        ...screenOf(path()),
        ...(traceparent ? { traceparent } : {}),
      }),
    /** A change that was asked for has been answered after so many milliseconds, and the gateway keeps its trace. */
    asked: (value: number, traceparent: string) =>
      measure({ kind: 'asked', name: 'request', value, ...screenOf(path()), traceparent }),
    /** The class of an error; never its message, which may hold anything. */
    error: (cause: unknown) => count('error', classOf(cause)),
    reconnect: () => count('reconnect', 'stream'),
  }
}

function classOf(cause: unknown) {
  const name = cause instanceof Error ? cause.name : 'Error'
  return /^[A-Za-z]{1,40}$/.test(name) ? name : 'Error'
}

/** The page's own reporter. A beacon outlives the page and a refusal troubles nobody. */
export const report = createReporter({
  send: (body) => void navigator.sendBeacon('/api/telemetry', new Blob([body], { type: 'application/json' })),
  path: () => location.pathname,
  chance: Math.random,
  now: () => performance.now(),
})
