import type { Forecast, Visit } from '@/api/types'
import { serverNow } from '@/clock'

/** How often lists with waiting visitors are read again: their forecasts change without an event. */
const forecastMs = 30_000
/** The time after which a new or changed visit has its next forecast. */
const nextForecastMs = 3_000
/** A visit without a new forecast after this time gets none; it may be left over from an earlier day. */
const noForecastMs = 60_000
/** Forecasts count as outdated this long before they are read again, because a timer may be a little early. */
const slackMs = 1_000

type Waiting = {
  queue: { stage: Visit['queue']['stage']; forecast?: Forecast | null | undefined }
  updatedAt?: string
}

const waits = ({ queue }: Waiting) => queue.stage === 'new' || queue.stage === 'waiting'

/**
 * Whether a visit will soon get its first forecast or, unless `whole` is set, its next forecast. A whole list
 * is not read again for next forecasts, because a busy office would then read it without end.
 */
export const awaitsForecast = (visit: Waiting, whole = false) => {
  const { queue, updatedAt } = visit
  if (!waits(visit) || queue.forecast === undefined) return false
  if (updatedAt === undefined) return queue.forecast === null
  if (serverNow() - Date.parse(updatedAt) >= noForecastMs) return false
  return queue.forecast === null || (!whole && Date.parse(queue.forecast.madeAt) < Date.parse(updatedAt))
}

/** The milliseconds until a list is requested again for its forecasts; false when no visitor waits. */
export function untilForecast(visits: readonly Waiting[] = []): number | false {
  if (!visits.some(waits)) return false
  return visits.some((visit) => awaitsForecast(visit)) ? nextForecastMs : forecastMs
}

/** The milliseconds after which the forecasts of these visits are outdated. */
export const forecastsAgeIn = (visits: readonly Waiting[]) =>
  visits.some(waits) ? forecastMs - slackMs : Infinity
