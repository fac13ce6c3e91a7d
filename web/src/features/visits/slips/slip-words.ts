import { useEffect, useState } from 'react'
import type { Visit } from '@/api/types'
import { inBackground } from '@/in-background'
import { isLanguage } from '@/language'
import english from '@/locales/en-staff'
import type { Language } from '@/locales/languages'
import { locale } from '@/messages'
import { messages } from '@/staff-messages'

export type SlipWords = Texts['slip'] & { language: Language; token: string }

type Texts = {
  token: string
  slip: Record<'at' | 'wait' | 'notice' | 'bring' | 'place' | 'range' | 'corrected' | 'offline', string>
}

const wordsOf = (language: Language, { token, slip }: Texts): SlipWords => ({ ...slip, token, language })

/** The texts of visits in each language except English, fetched when a slip needs them. */
const catalogues = import.meta.glob<Texts>(['@/locales/*/visits.json', '!@/locales/en/visits.json'], {
  import: 'visits',
})

/**
 * Texts already fetched, kept here because a ticket is mounted again when the browser lays the page out for printing.
 */
const fetched = new Map<Language, SlipWords>()

async function load(language: Language): Promise<SlipWords> {
  const [, catalogue] = Object.entries(catalogues).find(([file]) => file.includes(`/${language}/`)) ?? []
  const words = wordsOf(language, catalogue ? await catalogue() : english.visits)
  fetched.set(language, words)
  return words
}

/** The Anek fonts, by language. A slip is not on screen, so its fonts are loaded explicitly. */
const fonts: Record<Language, string> = {
  en: 'Latin',
  hi: 'Devanagari',
  kn: 'Kannada',
  ta: 'Tamil',
  te: 'Telugu',
  mr: 'Devanagari',
}

/** Fetches the font of a text that will be printed. */
export async function loadFont(language: Language, text: string): Promise<void> {
  if (!('fonts' in document)) return
  // Without a network the slip has a font of the system.
  await document.fonts.load(`16px 'Anek ${fonts[language]} Variable'`, text).catch(() => undefined)
}

/**
 * The languages of a visit's papers: the visitor's, or else the page's, and English. If the first is English,
 * the second is the first of the office's other languages, if there is one.
 */
export function languagesOfPaper(visit: Visit | undefined, offered: readonly Language[]): Language[] {
  const first = visit && isLanguage(visit.language) ? visit.language : locale
  const second = first === 'en' ? offered.find((language) => language !== 'en') : 'en'
  return second ? [first, second] : [first]
}

const ofPage = wordsOf(locale, messages.visits)

/** The texts of a visit's slip in its languages, the visitor's first. Until they are fetched: the page's texts. */
export function useSlipWords(
  visit: Visit,
  offered: readonly Language[],
): readonly [SlipWords, ...SlipWords[]] {
  const languages = languagesOfPaper(visit, offered)
  const wanted = languages.join()
  const [, setLoaded] = useState('')
  useEffect(() => {
    let current = true
    inBackground(
      Promise.all((wanted.split(',') as Language[]).map(load)).then((words) => {
        if (current) setLoaded(wanted)
        return Promise.all(words.map(({ language, wait }) => loadFont(language, wait)))
      }),
    )
    return () => {
      current = false
    }
  }, [wanted])
  const words = languages.flatMap((language) => fetched.get(language) ?? [])
  const [first = ofPage, ...others] = words.length === languages.length ? words : []
  return [first, ...others]
}
