import { inBackground } from '@/in-background'

/**
 * What a change waits for at its end: the refetched data if it succeeded, nothing if it failed. Without a network a
 * refetch can be paused until there is one, and a failed change that waits for it would look as if it were being sent.
 */
export const renewAfter = (error: Error | null, refetched: Promise<unknown>) =>
  error ? inBackground(refetched) : refetched
