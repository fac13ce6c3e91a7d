import { vi } from 'vitest'

/** Waits until an assertion holds, for a minute: a test fails because of a wrong value, not because of a late one. */
export const eventually = <T>(holds: () => T | Promise<T>) => vi.waitFor(holds, { timeout: 60_000 })
