/** The margin after the time of a change: the estimate of the server's clock may be half a second ahead. */
const slackMs = 500
const leastMs = 1_000
/** The delay before a list is read again after a failed request: its next change may already be due. */
const failedMs = 30_000

type Read = {
  status: 'pending' | 'error' | 'success'
  /** The last answer. */
  data: { nextAt: string | null } | undefined
}

/** The milliseconds until a list is read again without an event; false if nothing in it will change. */
export function untilChange({ status, data }: Read, now: number): number | false {
  if (status === 'error') return failedMs
  return data?.nextAt ? Math.max(leastMs, Date.parse(data.nextAt) + slackMs - now) : false
}
