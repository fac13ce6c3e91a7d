import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { English } from '@/locales/english'
import type { Language } from '@/locales/languages'
import type { Texts } from './catalogue-lint'
import { readGlossary } from './glossary'

const folder = 'src/locales'

export const readLocaleFile = (name: string) => readFileSync(join(folder, name), 'utf8')

/** The files of a language by name. */
export const filesOf = (language: string): Record<string, Texts> =>
  Object.fromEntries(
    readdirSync(join(folder, language)).map((file) => [
      file,
      JSON.parse(readLocaleFile(`${language}/${file}`)) as Texts,
    ]),
  )

export const folders = readdirSync(folder, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name)

/** The languages with a folder of translations. */
export const translated = folders.filter((name) => name !== 'en')

export const glossary = readGlossary(readLocaleFile('glossary.tsv'))

export const keptWords = new Set((JSON.parse(readLocaleFile('kept-words.json')) as string[][]).flat())

/** The `translation` of a page in the language, typed as if every text of each part existed. */
export function translationIn(language: Language) {
  const all = Object.assign({}, ...Object.values(filesOf(language))) as English
  return { language, messages: all, staff: all, admin: all, settings: all }
}
