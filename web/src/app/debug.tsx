import { useQuery } from '@tanstack/react-query'
import { lazy } from 'react'
import { loadOffice } from '@/features/office/load-office'
import { pageOffice } from '@/features/office/page-office'
import { NotFound } from '@/screens/not-found/not-found'

const Debug = lazy(async () => ({ default: (await import('@/screens/debug/debug')).Debug }))

/** The debugging screen while the office has it switched on; otherwise its address is under construction. */
export function DebugScreen() {
  const { data: office } = useQuery({
    queryKey: ['office'],
    queryFn: () => loadOffice().catch(pageOffice),
  })
  if (!office) return null
  return office.features.debug ? <Debug /> : <NotFound />
}
