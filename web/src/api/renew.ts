import { inBackground } from '@/in-background'

/**
 * The promise for which a change waits at its end: the refetch if the change succeeded, none if it failed. Without a
 * network, React Query pauses a refetch. A failed change that waited for it would look as if it were still being sent.
 */
export const renewAfter = (error: Error | null, refetched: Promise<unknown>) =>
  error ? inBackground(refetched) : refetched
