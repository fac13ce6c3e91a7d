import type { Visit } from '@/api/types'

/** The moment at which the session would have started if it had never been interrupted. */
export function uninterruptedStart({ startedAt, updatedAt, queue }: Visit): string {
  const { satSince, sessionSeconds } = queue
  if (!satSince) return startedAt ?? updatedAt
  return new Date(Date.parse(satSince) - sessionSeconds * 1_000).toISOString()
}

/** Formats the time since the start as mm:ss; the minutes continue past 59. */
export function elapsed(startedAt: string, now: number): string {
  const seconds = Math.max(0, Math.floor((now - Date.parse(startedAt)) / 1_000))
  const pad = (value: number) => String(value).padStart(2, '0')
  return `${pad(Math.floor(seconds / 60))}:${pad(seconds % 60)}`
}

/** The elapsed share of the estimated minutes, from 0 to 1. */
export const shareOf = (startedAt: string, now: number, estimate: number) =>
  Math.min(1, Math.max(0, (now - Date.parse(startedAt)) / 60_000 / estimate))
