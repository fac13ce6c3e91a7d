const day = 86_400_000

const first = new Date(Date.now() + 14 * day)
const after = (days: number) =>
  new Date(first.getTime() + (((8 - first.getUTCDay()) % 7) + days) * day).toISOString().slice(0, 10)

/** A Monday two to three weeks ahead, and the Saturday and Sunday before it, as YYYY-MM-DD. */
export const monday = after(0)
export const sunday = after(-1)
export const saturday = after(-2)

/** The Monday in the format of the lists: 23 Nov 2026. */
export const shownMonday = new Intl.DateTimeFormat('en-IN', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  timeZone: 'UTC',
}).format(new Date(monday))
