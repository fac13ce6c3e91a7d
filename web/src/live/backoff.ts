/** A series of reconnects: at most five. The delays double from the second on; none is longer than 30 s. */
export const mostAttempts = 5
export const firstDelayMs = 1_000
export const longestDelayMs = 30_000

const mostJitter = 0.3

/**
 * The delay before the given attempt (from 1). Random jitter of up to 30 % is added, so that the clients of an office
 * do not reconnect at the same instant.
 */
export function reconnectDelay(attempt: number, chance: () => number, first = firstDelayMs): number {
  const delay = attempt === 1 ? first : firstDelayMs * 2 ** (attempt - 1)
  return Math.min(longestDelayMs, delay * (1 + mostJitter * chance()))
}
