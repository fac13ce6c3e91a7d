/** Days of the office, both inclusive. */
export type Period = { start: string; end: string }

/** The periods that have a button, in days up to today. */
export const presets = [1, 7, 30, 90] as const
export type Preset = (typeof presets)[number]

const usual: Preset = 7
const longest = 366
const dayMs = 86_400_000

const isDay = (text: string | null): text is string =>
  text !== null && /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text))

export const plusDays = (day: string, days: number) =>
  new Date(Date.parse(day) + days * dayMs).toISOString().slice(0, 10)

const lengthOf = ({ start, end }: Period) => (Date.parse(end) - Date.parse(start)) / dayMs + 1

export const lastDays = (days: number, today: string): Period => ({
  start: plusDays(today, 1 - days),
  end: today,
})

/** Reads the period and its preset from the address. Without a valid period or preset, returns the last 7 days. */
export function periodOf(search: URLSearchParams, today: string): Period & { preset: Preset | null } {
  const [start, end] = [search.get('from'), search.get('to')]
  if (isDay(start) && isDay(end) && start <= end && lengthOf({ start, end }) <= longest) {
    return { start, end, preset: null }
  }
  const chosen = Number(search.get('days'))
  const preset = presets.find((days) => days === chosen) ?? usual
  return { ...lastDays(preset, today), preset }
}

/** One bar of the chart: a day, or a week of a long period. */
export type Bar = { first: string; last: string; visits: number; completed: number }

const mostBars = 92
type Counted = { day: string; total_visits: number; completed_visits: number }

/** The bars of a period, including days without visits. Above `mostBars` days, each bar is a week. */
export function barsOf({ start, end }: Period, days: readonly Counted[]): Bar[] {
  const byDay = new Map(days.map((day) => [day.day, day]))
  const step = lengthOf({ start, end }) > mostBars ? 7 : 1
  const bars: Bar[] = []
  for (let first = start; first <= end; first = plusDays(first, step)) {
    const within = Array.from({ length: step }, (_, index) => plusDays(first, index)).filter(
      (day) => day <= end,
    )
    const counts = within.flatMap((day) => byDay.get(day) ?? [])
    bars.push({
      first,
      last: within.at(-1) ?? first,
      visits: counts.reduce((sum, one) => sum + one.total_visits, 0),
      completed: counts.reduce((sum, one) => sum + one.completed_visits, 0),
    })
  }
  return bars
}
