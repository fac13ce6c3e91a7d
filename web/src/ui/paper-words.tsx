import { createContext, use } from 'react'
import type { Language } from '@/locales/languages'
import { locale } from '@/messages'
import { OfficeWords } from './office-words'

/** The labels of a paper by language. */
export type PaperLabels = Readonly<Record<string, string>>

/** The labels of the services' papers, keyed by `paperOf`. Pages in English do not need them. */
export const PaperLabelsContext = createContext<ReadonlyMap<string, PaperLabels>>(new Map())

export const paperOf = (service: string, key: string) => `${service}/${key}`

type Paper = { key: string | null; label: string }

/** The name of a paper of a visit in the language of the page. */
export function PaperName({ service, of: { key, label } }: { service: string; of: Paper }) {
  const labels = use(PaperLabelsContext)
  // A paper that is not on the checklist was typed by staff, in an unknown language.
  if (key === null) return label
  return <OfficeWords text={label} translation={labels.get(paperOf(service, key))?.[locale]} />
}

/** A function that names a paper of a visit in a language, by default that of the page. */
export function usePaperNames(service: string): (paper: Paper, language?: Language) => string {
  const labels = use(PaperLabelsContext)
  return ({ key, label }, language = locale) =>
    key === null ? label : (labels.get(paperOf(service, key))?.[language] ?? label)
}
