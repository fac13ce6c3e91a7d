import { useEffect, useState } from 'react'
import type { Visit } from '@/api/types'
import { isLanguage } from '@/language'
import english from '@/locales/en-staff'
import type { Language } from '@/locales/languages'
import { locale } from '@/messages'
import { messages } from '@/staff-messages'

/** The texts of a slip. */
type Words = { token: string; at: string; wait: string }

type Texts = { token: string; slip: { at: string; wait: string } }

const wordsOf = ({ token, slip: { at, wait } }: Texts): Words => ({ token, at, wait })

/** The texts of visits in each language, fetched for a visitor whose language is not that of the page. */
const catalogues = import.meta.glob<Texts>(['@/locales/*/visits.json', '!@/locales/en/visits.json'], {
  import: 'visits',
})

async function load(language: Language): Promise<Words> {
  const [, catalogue] = Object.entries(catalogues).find(([file]) => file.includes(`/${language}/`)) ?? []
  return wordsOf(catalogue ? await catalogue() : english.visits)
}

/** Anek in the script of a language, for the printer: a slip is not on screen, so it fetches no font itself. */
const fonts: Record<Language, string> = {
  en: 'Latin',
  hi: 'Devanagari',
  kn: 'Kannada',
  ta: 'Tamil',
  te: 'Telugu',
  mr: 'Devanagari',
}

/** The language of a visit's slip, and its texts: those of the page until they are fetched. */
export function useSlipWords(visit: Visit): { language: Language; words: Words } {
  const language = isLanguage(visit.language) ? visit.language : locale
  const [fetched, setFetched] = useState<{ language: Language; words: Words }>()
  useEffect(() => {
    let current = true
    if (language === locale) return undefined
    void load(language).then((words) => {
      if (current) setFetched({ language, words })
      if ('fonts' in document)
        return document.fonts.load(`16px 'Anek ${fonts[language]} Variable'`, words.wait)
      return undefined
    })
    return () => {
      current = false
    }
  }, [language])
  if (fetched?.language === language) return fetched
  return { language: locale, words: wordsOf(messages.visits) }
}

/** How long a print waits for the code of the visitor's page, in milliseconds. */
const patience = 1500

/** Prints the slip of the page, once its fonts are fetched and its code is drawn. It is printed without a late code. */
export async function printSlip(): Promise<void> {
  if ('fonts' in document) await document.fonts.ready
  const end = performance.now() + patience
  while (!document.querySelector('[data-slip-code]') && performance.now() < end)
    await new Promise((later) => setTimeout(later, 30))
  window.print()
}
