import type { UseQueryResult } from '@tanstack/react-query'

/** Whether a query has answered, or has failed at least once. Its next attempts are not worth waiting for. */
export const settled = ({ isPending, failureCount }: UseQueryResult) => !isPending || failureCount > 0
