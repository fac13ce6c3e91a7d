import type { Values } from '@/features/settings/data/document'
import { without } from '@/features/settings/data/pointer'

type Page = Values['page']
type Named = Pick<Page, 'certifications' | 'certificationTexts'>

/** The translations of a certification, which the document has by language and by the certification itself. */
export const textOf = ({ certificationTexts }: Named, certification: string, language: string) =>
  certificationTexts[language]?.[certification] ?? ''

const withoutEmpty = (texts: Page['certificationTexts']) =>
  Object.fromEntries(Object.entries(texts).filter(([, ofLanguage]) => Object.keys(ofLanguage).length > 0))

/** The page's value with a certification in another language; '' for none. */
export function withText<T extends Named>(page: T, certification: string, language: string, text: string): T {
  const others: Record<string, string> = without(page.certificationTexts[language] ?? {}, certification)
  const ofLanguage = text === '' ? others : { ...others, [certification]: text }
  return { ...page, certificationTexts: withoutEmpty({ ...page.certificationTexts, [language]: ofLanguage }) }
}

/** The page's value with other certifications. Translations of a certification that is gone go with it. */
export function withCertifications<T extends Named>(page: T, certifications: readonly string[]): T {
  const texts = Object.entries(page.certificationTexts).map(
    ([language, ofLanguage]) =>
      [
        language,
        Object.fromEntries(Object.entries(ofLanguage).filter(([name]) => certifications.includes(name))),
      ] as const,
  )
  return {
    ...page,
    certifications: [...certifications],
    certificationTexts: withoutEmpty(Object.fromEntries(texts)),
  }
}

/** The page's value with another name for a certification, which keeps its translations. */
export function withName<T extends Named>(page: T, index: number, name: string): T {
  const before = page.certifications[index] ?? ''
  const languages = Object.keys(page.certificationTexts)
  const moved = languages.reduce(
    (whole, language) =>
      withText(whole, name, language, textOf(page, name, language) || textOf(page, before, language)),
    page,
  )
  return withCertifications(
    moved,
    page.certifications.map((one, at) => (at === index ? name : one)),
  )
}
