import type { Subject } from '@/features/audit/queries'

/** Where the figures of a consultant or a service are. */
export const figuresPage = (kind: Subject['kind'], id: string) =>
  `/dashboard/admin/${kind}s/${encodeURIComponent(id)}`
