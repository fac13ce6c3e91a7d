import type { components } from '@/api/realtime'

type Item = components['schemas']['TelemetryItem']

/** The maximum number of measurements in a report. The server accepts 50 measurements and 4 KiB. */
const mostItems = 20
/** The interval of reports. All desks of an office share one address, from which ten reports a minute are accepted. */
export const everyMs = 60_000
/** The share of page loads that report vitals and times. All page loads report errors and lost streams. */
export const share = 0.25

const screenOf = (path: string) => (/^\/[a-z/-]{0,60}$/.test(path) ? { screen: path } : {})

type Tools = { send: (body: string) => void; path: () => string; chance: () => number; now: () => number }

/** Collects the page's measurements and reports them in batches, without any personal data. */
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

  /** Measurements with a trace also have their age. */
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
    /** Reports a web vital, in milliseconds or, for a layout shift, as its score. */
    vital: (name: string, value: number) => measure({ kind: 'vital', name, value, ...screenOf(path()) }),
    /** Reports the time from the arrival of a live event to its paint, in milliseconds. */
    shown: (value: number, traceparent?: string) =>
      measure({
        kind: 'shown',
        name: 'event',
        value,
        ...screenOf(path()),
        ...(traceparent ? { traceparent } : {}),
      }),
    /** Reports the response time of a change whose trace the gateway keeps, in milliseconds. */
    asked: (value: number, traceparent: string) =>
      measure({ kind: 'asked', name: 'request', value, ...screenOf(path()), traceparent }),
    /** Reports the class of an error; never its message, which may contain anything. */
    error: (cause: unknown) => count('error', classOf(cause)),
    reconnect: () => count('reconnect', 'stream'),
  }
}

function classOf(cause: unknown) {
  const name = cause instanceof Error ? cause.name : 'Error'
  return /^[A-Za-z]{1,40}$/.test(name) ? name : 'Error'
}

/** The page's reporter. A beacon survives the page, and its rejection is ignored. */
export const report = createReporter({
  send: (body) => void navigator.sendBeacon('/api/telemetry', new Blob([body], { type: 'application/json' })),
  path: () => location.pathname,
  chance: Math.random,
  now: () => performance.now(),
})
