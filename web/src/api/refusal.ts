import { Fault } from './fault'

/** Statuses after which a retry can succeed, such as those of a rate limit or a time-out. */
const passing = [401, 408, 429]

/**
 * Whether the server has rejected a call for good, so that a retry would be rejected as well. After any other failure,
 * a retry can succeed.
 */
export function isRefusal(error: unknown): error is Fault {
  if (!(error instanceof Fault) || error.status < 400 || error.status >= 500) return false
  return !passing.includes(error.status) && error.code !== 'busy_key'
}
