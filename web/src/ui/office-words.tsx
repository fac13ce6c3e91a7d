import { createContext, use } from 'react'
import type { Language } from '@/locales/languages'
import { locale } from '@/messages'

/** Name and description of a service by language; an empty text is missing. */
export type ServiceTexts = Readonly<Partial<Record<string, { name: string; description: string }>>>

type Props = {
  /** The office's own text. */
  text: string
  /** The translation of the text to the language of the page; undefined if there is none. */
  translation: string | undefined
}

/** A text of the office. Without a translation it is the office's own, marked as English for screen readers. */
export function OfficeWords({ text, translation }: Props) {
  if (translation) return translation
  return locale === 'en' ? text : <span lang="en">{text}</span>
}

/** The name of a service in a language; without a translation, the office's own name. */
export function serviceNameIn(language: Language, name: string, texts: ServiceTexts | undefined): string {
  const translation = texts?.[language]?.name ?? ''
  return translation === '' ? name : translation
}

/** The translations of the services, keyed by id and by name. Pages in English do not need them. */
export const ServiceTextsContext = createContext<ReadonlyMap<string, ServiceTexts>>(new Map())

/** The translations of a service, by its id or name. */
export const useServiceTexts = (service: string): ServiceTexts | undefined =>
  use(ServiceTextsContext).get(service)

type Named = { id: string; name: string }

/** Returns a function that names a service in the language of the page, for where the name has to be a string. */
export function useServiceNames(): (service: Named) => string {
  const texts = use(ServiceTextsContext)
  return ({ id, name }) => serviceNameIn(locale, name, texts.get(id) ?? texts.get(name))
}

/** The name of a service in the language of the page. */
export function ServiceName({ of: { id, name } }: { of: Named }) {
  const texts = useServiceTexts(id)
  return <OfficeWords text={name} translation={texts?.[locale]?.name} />
}
