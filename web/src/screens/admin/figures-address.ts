import type { Subject } from '@/features/audit/queries'

/** The address of the figures of a consultant or a service. */
export const figuresPage = (kind: Subject['kind'], id: string) =>
  `/dashboard/admin/${kind}s/${encodeURIComponent(id)}`
