import type { Forecast, Visit } from '@/api/types'

/** While visitors wait, their forecasts change without an event; a new visitor has one after a moment. */
export const forecastMs = 30_000
const firstForecastMs = 3_000

type Waiting = { queue: { stage: Visit['queue']['stage']; forecast?: Forecast | null | undefined } }

/** The interval at which forecasts are read again; false when nobody waits. */
export const untilForecast = (visits: readonly Waiting[] | undefined): number | false => {
  const waiting = visits?.filter(({ queue }) => queue.stage === 'new' || queue.stage === 'waiting') ?? []
  if (waiting.length === 0) return false
  return waiting.some(({ queue }) => queue.forecast === null) ? firstForecastMs : forecastMs
}
