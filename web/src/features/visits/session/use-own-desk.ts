import { useQuery } from '@tanstack/react-query'
import type { Desk, Visit } from '@/api/types'
import type { Actor } from '@/features/visits/data/actions'
import { desksQuery } from '@/features/visits/data/queries'
import { deskOf } from '@/features/visits/data/visit'
import { inBackground } from '@/in-background'

/** A new account's desk is created later than the account, so the desks are read again at this interval. */
const againMs = 2_000

/** The signed-in consultant's desk; an admin has none. The desk's visitor comes from the visits, once loaded. */
export function useOwnDesk(user: Actor, visits: readonly Visit[] | undefined) {
  const isExpected = user.role === 'consultant'
  const own = (desks: readonly Desk[] = []) => desks.find(({ consultantId }) => consultantId === user.id)
  const { data, isPending, isLoadingError, refetch } = useQuery({
    ...desksQuery,
    refetchInterval: ({ state }) => (isExpected && state.data && !own(state.data) ? againMs : false),
  })
  const desk = own(data)
  return {
    desk: desk && visits ? withVisit(desk, deskOf(visits, user)) : desk,
    isExpected,
    isPending,
    retry: isLoadingError ? () => inBackground(refetch()) : undefined,
  }
}

/** The desk with the visitor from the consultant's own list, which is updated before the list of desks. */
function withVisit(desk: Desk, { session, called }: ReturnType<typeof deskOf>): Desk {
  if (session) {
    const since = session.queue.satSince ?? session.startedAt ?? session.updatedAt
    return { ...desk, visit: visitAt(session, 'in-session', since) }
  }
  if (called) return { ...desk, visit: visitAt(called, 'called', called.queue.calledAt ?? called.updatedAt) }
  return { ...desk, visit: null }
}

type DeskVisit = NonNullable<Desk['visit']>

const visitAt = ({ id, token, tokenAlso }: Visit, stage: DeskVisit['stage'], since: string): DeskVisit => ({
  id,
  token,
  ...(tokenAlso ? { tokenAlso } : {}),
  stage,
  since,
})
