/** The office's current calendar day (YYYY-MM-DD). */
export function officeDay(now: Date, timeZone: string): string {
  const parts = new Intl.DateTimeFormat('en', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' })
    .formatToParts(now)
    .map((part) => [part.type, part.value])
  const { year, month, day } = Object.fromEntries(parts) as Record<'year' | 'month' | 'day', string>
  return `${year}-${month}-${day}`
}

/** The office's current time of day (HH:MM). */
export const officeClock = (now: Date, timeZone: string): string =>
  new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit' }).format(now)
