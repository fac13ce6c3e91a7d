import { languages, type Language } from '@/locales/languages'

/** The privacy notice of the office document. Its own text is English. */
export type Notice = { version: string; translations?: object }

/** The languages of the screens in which the notice is missing. */
export const missingIn = ({ translations = {} }: Notice): Language[] =>
  (Object.keys(languages) as Language[]).filter(
    (language) => language !== 'en' && !Object.hasOwn(translations, language),
  )
