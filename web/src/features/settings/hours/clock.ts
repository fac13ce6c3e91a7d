import { clockOf } from '@/office-clock'

/** The value of a time field, HH:MM, for a time of the office document; '' for a text that is no time. */
export const fieldTime = (text: string | null) => (text === null ? '' : (clockOf(text) ?? ''))

/** A time as the office document has it, such as 9 AM or 9:30 AM, for the value of a time field. */
export function writtenTime(field: string): string {
  const [, hour = '', minute = ''] = /^(\d\d):(\d\d)$/.exec(field) ?? []
  if (hour === '') return ''
  const half = Number(hour) < 12 ? 'AM' : 'PM'
  return `${Number(hour) % 12 || 12}${minute === '00' ? '' : `:${minute}`} ${half}`
}
