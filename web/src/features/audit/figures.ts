/** Completed over total as a whole percent; without visits it is 0. */
export const completionRate = (completed: number, total: number) =>
  total === 0 ? 0 : Math.round((100 * completed) / total)

/** Formats an hour of the day as 2 PM; takes 14 or 14:00. */
export function clockHour(hour: number | string): string {
  const value = (typeof hour === 'number' ? hour : Number(hour.slice(0, 2))) % 24
  return `${value % 12 === 0 ? 12 : value % 12} ${value < 12 ? 'AM' : 'PM'}`
}

type Peak = { from: string; to: string } | null | undefined

const firstShown = 9
const lastShown = 18

/** The hours to draw: the office's opening hours, extended to earlier and later arrivals. */
export function hoursOf(arrivals: readonly number[], peak: Peak) {
  const busy = arrivals.flatMap((count, hour) => (count > 0 ? [hour] : []))
  const from = Math.min(firstShown, ...busy)
  const to = Math.max(lastShown, ...busy)
  const most = Math.max(1, ...arrivals)
  const [peakFrom, peakTo] = peak ? [Number(peak.from.slice(0, 2)), Number(peak.to.slice(0, 2))] : [24, 24]
  return Array.from({ length: to - from + 1 }, (_, index) => {
    const hour = from + index
    const count = arrivals[hour] ?? 0
    return { hour, count, share: count / most, hot: hour >= peakFrom && hour < peakTo }
  })
}

const indian = new Intl.NumberFormat('en-IN')

/** Formats a count in the Indian grouping: 1,00,000. */
export const counted = (value: number) => indian.format(value)
