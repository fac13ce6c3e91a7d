import { messages } from '@/admin-messages'
import { fill, formatLocale } from '@/messages'
import type { Entry } from './mutations'

const text = messages.dueDates

/** Each entry once, on the first of its days. */
export function entriesOf(days: readonly Entry[]): Entry[] {
  const seen = new Set<string>()
  return days.filter(({ id }) => !seen.has(id) && seen.add(id))
}

const monthName = new Intl.DateTimeFormat(formatLocale, { month: 'short', timeZone: 'UTC' })

export const months = Array.from({ length: 12 }, (_, index) => ({
  value: index + 1,
  label: monthName.format(Date.UTC(2026, index, 1)),
}))

/** When an entry is due, in words. */
export function whenOf({ rule }: Pick<Entry, 'rule'>): string {
  if (!rule) return text.once
  const { day } = rule
  if (rule.months.length === months.length) return fill(text.everyMonth, { day })
  const named = months.filter(({ value }) => rule.months.includes(value)).map(({ label }) => label)
  return fill(text.someMonths, { day, months: named.join(', ') })
}
