/** The days of the week as the office document writes them. */
export const weekdays = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']

/** Converts 9 AM, 9:30 PM or 14:00 to HH:MM; undefined for any other text. */
export function clockOf(text: string): string | undefined {
  const [, hour, minute = '00', half] = /^(\d{1,2})(?::(\d\d))?(?: ([AP]M))?$/.exec(text) ?? []
  if (hour === undefined) return undefined
  const inDay = half === undefined ? Number(hour) : (Number(hour) % 12) + (half === 'PM' ? 12 : 0)
  return `${String(inDay).padStart(2, '0')}:${minute}`
}
