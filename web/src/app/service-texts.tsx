import { useQuery } from '@tanstack/react-query'
import { useMemo, type ReactNode } from 'react'
import { servicesQuery } from '@/features/directory/queries'
import { locale } from '@/messages'
import { ServiceTextsContext } from '@/ui/office-words'

/** Provides the translations of the services. A page in English does not load them. */
export function ServiceTextsProvider({ children }: { children: ReactNode }) {
  const { data } = useQuery({ ...servicesQuery, enabled: locale !== 'en' })
  const texts = useMemo(
    () => new Map(data?.flatMap(({ id, name, texts: own }) => [[id, own] as const, [name, own] as const])),
    [data],
  )
  return <ServiceTextsContext value={texts}>{children}</ServiceTextsContext>
}
