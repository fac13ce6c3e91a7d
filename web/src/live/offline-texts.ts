import { queryOptions } from '@tanstack/react-query'
import type en from '@/locales/en/offline-desk.json'
import { locale } from '@/messages'
import { once } from '@/once'

export type Texts = (typeof en)['offlineDesk']

/** The texts of a desk without network, by file. They are loaded where they are shown, not with every page. */
const catalogues = import.meta.glob<Texts>('@/locales/*/offline-desk.json', { import: 'offlineDesk' })

async function load(): Promise<Texts> {
  const [, found] = Object.entries(catalogues).find(([file]) => file.includes(`/${locale}/`)) ?? []
  if (!found) throw new Error(`no texts of a desk without network in ${locale}`)
  return found()
}

export const loadTexts = once(load)

/** The texts for a component. A lost network does not delay them: a paired desk has their file in the browser. */
export const textsQuery = queryOptions({
  queryKey: ['offline-desk-texts'],
  queryFn: loadTexts,
  networkMode: 'always',
})
