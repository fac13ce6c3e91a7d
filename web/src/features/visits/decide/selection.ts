import { useState } from 'react'
import type { Visit } from '@/api/types'

const none: ReadonlySet<string> = new Set()

/** The selected rows. A visitor who leaves the list is not selected any more, also if an undo brings them back. */
export function useSelection(visits: readonly Visit[] | undefined) {
  const [ids, setIds] = useState(none)
  const selected = visits?.filter(({ id }) => ids.has(id)) ?? []
  if (visits && selected.length < ids.size) setIds(new Set(selected.map(({ id }) => id)))
  const all = selected.length > 0 && selected.length === visits?.length
  return {
    selected,
    all,
    has: (id: string) => ids.has(id),
    toggle: (id: string) =>
      setIds(ids.has(id) ? new Set([...ids].filter((one) => one !== id)) : new Set([...ids, id])),
    toggleAll: () => setIds(all ? none : new Set(visits?.map(({ id }) => id))),
  }
}

export type Selection = ReturnType<typeof useSelection>
