const dial = new Intl.DateTimeFormat('en-US', {
  hour: 'numeric',
  minute: '2-digit',
  hour12: true,
  timeZone: 'UTC',
})

/** Formats a time of day given as HH:MM on the twelve-hour clock: 17:00 becomes 5:00 PM. */
export function timeOfDay(time: string): string {
  const parts = dial.formatToParts(new Date(`1970-01-01T${time}Z`))
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.find((each) => each.type === type)?.value ?? ''
  return `${part('hour')}:${part('minute')} ${part('dayPeriod')}`
}
