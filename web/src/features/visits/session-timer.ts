/** Formats the time since the start as mm:ss; the minutes continue past 59. */
export function elapsed(startedAt: string, now: number): string {
  const seconds = Math.max(0, Math.floor((now - Date.parse(startedAt)) / 1_000))
  const pad = (value: number) => String(value).padStart(2, '0')
  return `${pad(Math.floor(seconds / 60))}:${pad(seconds % 60)}`
}

/** The elapsed share of the estimated minutes, from 0 to 1. */
export const shareOf = (startedAt: string, now: number, estimate: number) =>
  Math.min(1, Math.max(0, (now - Date.parse(startedAt)) / 60_000 / estimate))
