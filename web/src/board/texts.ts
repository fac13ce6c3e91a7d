import en from '@/locales/en/board.json'
import hi from '@/locales/hi/board.json'
import kn from '@/locales/kn/board.json'
import type { Language } from '@/locales/languages'
import mr from '@/locales/mr/board.json'
import ta from '@/locales/ta/board.json'
import te from '@/locales/te/board.json'

/** All languages are bundled: the office's languages are unknown until the office document is read. */
const texts: Record<Language, typeof en> = { en, hi, kn, ta, te, mr }

export type Texts = typeof en.board

export const textsOf = (language: Language): Texts => texts[language].board

/** The listed languages that have texts, or English if none of them has texts. */
export function knownOf(names: readonly string[]): Language[] {
  const known = names.filter((name): name is Language => Object.hasOwn(texts, name))
  return known.length > 0 ? known : ['en']
}

export const fill = (text: string, values: Record<string, string>) =>
  text.replace(/\{(\w+)\}/g, (all, name: string) => values[name] ?? all)
