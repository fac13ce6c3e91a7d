import type { Forecast, Visit } from '@/api/types'
import { serverNow } from '@/clock'

/** While visitors wait, their forecasts change without an event. */
const forecastMs = 30_000
/** A visitor who comes has a forecast after a moment. */
const firstForecastMs = 3_000
/** A visit that has had no forecast for so long gets none, as one that is left over from an earlier day. */
const noForecastMs = 60_000
/** A timer may be a little early. */
const slackMs = 1_000

type Waiting = {
  queue: { stage: Visit['queue']['stage']; forecast?: Forecast | null | undefined }
  updatedAt?: string
}

const waits = ({ queue }: Waiting) => queue.stage === 'new' || queue.stage === 'waiting'

/** Whether a visit is about to get its first forecast. */
export const awaitsForecast = (visit: Waiting) =>
  waits(visit) &&
  visit.queue.forecast === null &&
  (visit.updatedAt === undefined || serverNow() - Date.parse(visit.updatedAt) < noForecastMs)

/** The interval at which a list is requested for its forecasts; false when no visitor waits. */
export function untilForecast(visits: readonly Waiting[] = []): number | false {
  if (!visits.some(waits)) return false
  return visits.some(awaitsForecast) ? firstForecastMs : forecastMs
}

/** The milliseconds after which the forecasts of these visits are old. */
export const forecastsAgeIn = (visits: readonly Waiting[]) =>
  visits.some(waits) ? forecastMs - slackMs : Infinity
