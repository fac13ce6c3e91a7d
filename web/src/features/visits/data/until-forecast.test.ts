import { expect, test } from 'vitest'
import type { Forecast } from '@/api/types'
import { forecastOf } from '@/test/fixtures'
import { awaitsForecast, untilForecast } from './until-forecast'

const ago = (seconds: number) => new Date(Date.now() - seconds * 1000).toISOString()

const waiting = (made: Forecast | null, changedAgo: number) => ({
  queue: { stage: 'waiting' as const, forecast: made },
  updatedAt: ago(changedAgo),
})

const madeAgo = (seconds: number) => forecastOf({ madeAt: ago(seconds) })

test('a visit without a forecast, or changed after it, is requested again soon', () => {
  expect(awaitsForecast(waiting(null, 2))).toBe(true)
  expect(awaitsForecast(waiting(madeAgo(5), 2))).toBe(true)
  expect(awaitsForecast(waiting(null, 2), true)).toBe(true)
  expect(awaitsForecast(waiting(madeAgo(5), 2), true)).toBe(false)
  expect(untilForecast([waiting(madeAgo(2), 5), waiting(madeAgo(5), 2)])).toBe(3_000)
})

test('a forecast after the last change is enough', () => {
  expect(awaitsForecast(waiting(madeAgo(2), 5))).toBe(false)
  expect(untilForecast([waiting(madeAgo(2), 5)])).toBe(30_000)
})

test('a visit gets no forecast a minute after its change', () => {
  expect(awaitsForecast(waiting(null, 61))).toBe(false)
  expect(awaitsForecast(waiting(madeAgo(90), 61))).toBe(false)
})

test('a visit that does not wait has no forecast', () => {
  const called = { ...waiting(null, 2), queue: { stage: 'called' as const, forecast: null } }
  expect(awaitsForecast(called)).toBe(false)
  expect(untilForecast([called])).toBe(false)
})
