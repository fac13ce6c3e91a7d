import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { arrivalsQuery } from '@/features/visits/data/arrivals'
import { todayQuery } from '@/features/visits/data/queries'
import { needsOf, type Need } from './needs'
import { attentionQuery } from './queries'

const nothing = { arrivals: [], returns: [] }
const none: [] = []

/**
 * Returns what needs the attention of a role, the most urgent first. The entries come from two services: if one fails,
 * the entries of the other are shown. `isKnown`: both lists have been received or have failed.
 */
export function useNeeds(role: string) {
  const hasDoor = role !== 'pa'
  const attention = useQuery(attentionQuery)
  const arrivals = useQuery({ ...arrivalsQuery, enabled: hasDoor })
  const [listed, door] = [attention.data?.attention ?? none, arrivals.data ?? nothing]
  // Today's list is read here only if an entry may name one of its visits.
  const enabled = listed.length + door.returns.length > 0
  const { data: today = none } = useQuery({ ...todayQuery(), enabled })
  const needs = useMemo(() => needsOf({ listed, door, today, role }), [listed, door, today, role])
  return { needs, isKnown: attention.isFetched && (arrivals.isFetched || !hasDoor) }
}

type Seen = {
  key: string
  ids: ReadonlySet<string>
  /** The ids of the entries that were added since the screen was opened. */
  fresh: ReadonlySet<string>
  /** The entries that were added with the last change of the list. */
  newest: readonly Need[]
}

const nothingFresh: Pick<Seen, 'fresh' | 'newest'> = { fresh: new Set(), newest: [] }

/** Which entries were added since the screen was opened, and which of them were added last. */
export function useFresh(needs: readonly Need[], isKnown: boolean): Pick<Seen, 'fresh' | 'newest'> {
  const [seen, setSeen] = useState<Seen>()
  const key = needs.map(({ id }) => id).join()
  if (isKnown && seen?.key !== key) {
    const came = seen ? needs.filter(({ id }) => !seen.ids.has(id)) : []
    const stayed = needs.filter(({ id }) => seen?.fresh.has(id))
    setSeen({
      key,
      ids: new Set(needs.map(({ id }) => id)),
      fresh: new Set([...stayed, ...came].map(({ id }) => id)),
      newest: came,
    })
  }
  return seen ?? nothingFresh
}
