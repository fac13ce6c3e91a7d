import { Fault } from './fault'

/** Statuses of failures that may pass, such as those of a limited or timed-out call. */
const passing = [401, 408, 429]

/** Whether the server has decided against a call, which would fail again. Any other failure may pass. */
export function isRefusal(error: unknown): error is Fault {
  if (!(error instanceof Fault) || error.status < 400 || error.status >= 500) return false
  return !passing.includes(error.status) && error.code !== 'busy_key'
}
