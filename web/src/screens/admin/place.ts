import { useEffect, useState } from 'react'
import { useSearchParams } from 'react-router'

/** Where the contents of former tabs are, by the key of the tab. */
const moved = new Map<string, Readonly<Record<string, string>>>([
  ['accuracy', { tab: 'analytics', view: 'accuracy' }],
  ['reports', { tab: 'analytics', view: 'reports' }],
  ['appointments', { tab: 'office', page: 'appointments' }],
  ['screens', { tab: 'office', page: 'waiting-room' }],
  ['pages', { tab: 'office', page: 'messages' }],
  ['messages', { tab: 'office', page: 'messages' }],
  ['due-dates', { tab: 'office', page: 'due-dates' }],
  ['privacy', { tab: 'office', page: 'privacy' }],
])

/**
 * Replaces the address of a former tab by that of its contents, with the same other parameters. Returns whether the
 * address is being replaced.
 */
export function useMoved(): boolean {
  const [search, setSearch] = useSearchParams()
  const place = moved.get(search.get('tab') ?? '')
  useEffect(() => {
    if (place) setSearch({ ...Object.fromEntries(search), ...place }, { replace: true })
  }, [place, search, setSearch])
  return place !== undefined
}

const tabs = ['analytics', 'visitors', 'services', 'staff', 'audit', 'office'] as const

/** The parameters that name a part of a tab: a view of Analytics, a page of Office. */
const parts = { analytics: 'view', office: 'page' } as const

const partOf = (tab: string) => (tab === 'analytics' || tab === 'office' ? parts[tab] : undefined)

/**
 * The open tab, and the parts of Analytics and Office that are shown or, while another tab is open, were shown last.
 */
export function usePlace() {
  const [search, setSearch] = useSearchParams()
  const tab = tabs.find((key) => key === search.get('tab')) ?? 'analytics'
  const [last, setLast] = useState<{ view?: string | null; page?: string | null }>({})
  const part = partOf(tab)
  if (part && last[part] !== search.get(part)) setLast({ ...last, [part]: search.get(part) })

  const open = (key: string) => {
    const address = new URLSearchParams({ tab: key })
    const name = partOf(key)
    const shown = name && last[name]
    if (name && shown) address.set(name, shown)
    setSearch(address, { replace: true })
  }
  return { tab, view: last.view, page: last.page, open }
}
