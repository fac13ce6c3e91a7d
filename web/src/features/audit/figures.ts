/** Completed over total as a whole percent; without visits it is 0. */
export const completionRate = (completed: number, total: number) =>
  total === 0 ? 0 : Math.round((100 * completed) / total)

/** The hour of a time of day given as HH:MM. */
export const hourIn = (time: string) => Number(time.slice(0, 2))

type Peak = { from: string; to: string } | null | undefined

const firstShown = 9
const lastShown = 18

/** The hours to draw: 9 to 18, extended to earlier and later arrivals. */
export function hoursOf(arrivals: readonly number[], peak: Peak) {
  const busy = arrivals.flatMap((count, hour) => (count > 0 ? [hour] : []))
  const from = Math.min(firstShown, ...busy)
  const to = Math.max(lastShown, ...busy)
  const most = Math.max(1, ...arrivals)
  const [peakFrom, peakTo] = peak ? [hourIn(peak.from), hourIn(peak.to)] : [24, 24]
  return Array.from({ length: to - from + 1 }, (_, index) => {
    const hour = from + index
    const count = arrivals[hour] ?? 0
    return { hour, count, share: count / most, hot: hour >= peakFrom && hour < peakTo }
  })
}
