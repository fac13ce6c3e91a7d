import { useQuery } from '@tanstack/react-query'
import { useMemo, type ReactNode } from 'react'
import { servicesQuery } from '@/features/directory/queries'
import { locale } from '@/messages'
import { PaperLabelsContext, paperOf } from '@/ui/paper-words'

/** Provides the labels of papers in other languages. A page in English does not request the services for them. */
export function PaperLabelsProvider({ children }: { children: ReactNode }) {
  const { data } = useQuery({ ...servicesQuery, enabled: locale !== 'en' })
  const labels = useMemo(
    () =>
      new Map(
        data?.flatMap(({ id, papers }) =>
          papers.map((paper) => [paperOf(id, paper.key), paper.labels] as const),
        ),
      ),
    [data],
  )
  return <PaperLabelsContext value={labels}>{children}</PaperLabelsContext>
}
