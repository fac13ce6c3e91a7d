import { useQuery } from '@tanstack/react-query'
import { chunk } from '@/chunk'
import { loadOffice } from '@/features/office/load-office'
import { pageOffice } from '@/features/office/page-office'
import { NotFound } from '@/screens/not-found/not-found'

const Debug = chunk(async () => (await import('@/screens/debug/debug')).Debug)

/** The debug screen, if the office enables it; otherwise Page Under Construction. */
export function DebugScreen() {
  const { data: office } = useQuery({
    queryKey: ['office'],
    queryFn: () => loadOffice().catch(pageOffice),
  })
  if (!office) return null
  return office.features.debug ? <Debug /> : <NotFound />
}
