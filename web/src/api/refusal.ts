import { Fault } from './fault'

/** Statuses of failures that may not occur again, such as a rate limit or a time-out. */
const passing = [401, 408, 429]

/**
 * Whether the server has rejected a call for good, so that a retry would be rejected as well. Any other failure may not
 * occur again.
 */
export function isRefusal(error: unknown): error is Fault {
  if (!(error instanceof Fault) || error.status < 400 || error.status >= 500) return false
  return !passing.includes(error.status) && error.code !== 'busy_key'
}
