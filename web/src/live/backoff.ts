/** A series of reconnects: at most five, each waiting twice as long as the one before, never longer than 30 s. */
export const mostAttempts = 5
export const firstDelayMs = 1_000
export const longestDelayMs = 30_000

const mostJitter = 0.3

/**
 * How long the given attempt (from 1) waits. Up to 30 % are added by chance, so that a whole office does not come back
 * in the same instant.
 */
export function reconnectDelay(attempt: number, chance: () => number, first = firstDelayMs): number {
  const delay = attempt === 1 ? first : firstDelayMs * 2 ** (attempt - 1)
  return Math.min(longestDelayMs, delay * (1 + mostJitter * chance()))
}
