import { vi } from 'vitest'

/** Waits up to a minute until an assertion holds, so that a slow machine does not fail a test. */
export const eventually = <T>(holds: () => T | Promise<T>) => vi.waitFor(holds, { timeout: 60_000 })
