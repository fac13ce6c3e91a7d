import { inBackground } from '@/in-background'

/**
 * What a change waits for at its end: the refetch if it succeeded, nothing if it failed. Without a network, React Query
 * pauses a refetch, and a failed change that waited for it would look as if it were still being sent.
 */
export const renewAfter = (error: Error | null, refetched: Promise<unknown>) =>
  error ? inBackground(refetched) : refetched
