import type { Subject } from '@/features/audit/queries'

export const figuresPage = (kind: Subject['kind'], id: string) =>
  `/dashboard/admin/${kind}s/${encodeURIComponent(id)}`
