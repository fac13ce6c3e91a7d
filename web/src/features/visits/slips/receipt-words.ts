import { useEffect, useState } from 'react'
import type { Visit } from '@/api/types'
import { inBackground } from '@/in-background'
import english from '@/locales/en/papers.json'
import type { Language } from '@/locales/languages'
import { languagesOfPaper, loadFont } from './slip-words'

export type ReceiptWords = Pick<typeof english.papers, 'receipt' | 'forms'> & { language: Language }

const catalogues = import.meta.glob<typeof english.papers>(
  ['@/locales/*/papers.json', '!@/locales/en/papers.json'],
  { import: 'papers' },
)

async function load(language: Language): Promise<ReceiptWords> {
  const [, catalogue] = Object.entries(catalogues).find(([file]) => file.includes(`/${language}/`)) ?? []
  const { receipt, forms } = catalogue ? await catalogue() : english.papers
  return { language, receipt, forms }
}

/** The texts of a receipt in its languages, with their fonts; undefined until they are fetched. */
export function useReceiptWords(
  visit: Visit | undefined,
  offered: readonly Language[],
): readonly ReceiptWords[] | undefined {
  const [words, setWords] = useState<readonly ReceiptWords[]>()
  const wanted = languagesOfPaper(visit, offered).join()
  useEffect(() => {
    let current = true
    inBackground(
      Promise.all((wanted.split(',') as Language[]).map(load)).then(async (loaded) => {
        await Promise.all(loaded.map(({ language, receipt }) => loadFont(language, receipt.title)))
        if (current) setWords(loaded)
      }),
    )
    return () => {
      current = false
    }
  }, [wanted])
  return words
}
