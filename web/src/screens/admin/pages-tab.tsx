import { useOffice } from '@/features/office/use-office'
import { Poster } from '@/features/visits/poster'

/** What the office does with the pages that visitors open themselves. */
export function PagesTab() {
  const { brand, languages = [], checkIn } = useOffice()
  return <Poster brand={brand} languages={languages} on={checkIn === 'confirm'} />
}
