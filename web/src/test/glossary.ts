/** A term and its translations. If a text has the term, its translation must use one of them. */
export type Term = {
  english: string
  /** `any`: demanded wherever the term occurs; `label`: only where the term is the whole text. */
  use: 'any' | 'label'
  /** English phrases in which the term means something else. */
  except: string[]
  /** The forms of the term by language. The first form is the term itself. */
  forms: Readonly<Record<string, string[]>>
}

const list = (cell: string | undefined) => (cell ?? '').split(' | ').filter((part) => part !== '')

/** Reads glossary.tsv: a head with the names of the columns, and a line for each term. */
export function readGlossary(tsv: string): Term[] {
  const [head = [], ...lines] = tsv
    .trimEnd()
    .split('\n')
    .map((line) => line.split('\t'))
  const languages = head.slice(3)
  return lines.map(([english = '', use, except, ...cells]) => ({
    english,
    use: use === 'label' ? 'label' : 'any',
    except: list(except),
    forms: Object.fromEntries(languages.map((name, index) => [name, list(cells[index])])),
  }))
}

/** The glossary's terms that a translation of an English text must use and does not use. */
export function demands(english: string, translation: string, language: string, glossary: readonly Term[]) {
  return termsIn(english, glossary)
    .map((term) => term.forms[language] ?? [])
    .filter((forms) => !forms.some((form) => uses(translation, form)))
    .map((forms) => forms.join(' or '))
}

/** The terms of a text. A longer term or an exception hides the terms that it contains. */
export function termsIn(text: string, glossary: readonly Term[]): Term[] {
  const whole = glossary.filter(({ english }) => english.toLowerCase() === text.toLowerCase())
  if (whole.length > 0) return whole
  const terms = glossary.filter(({ use }) => use === 'any')
  const byPhrase = new Map<string, Term | undefined>([
    ...terms.map((term) => [term.english.toLowerCase(), term] as const),
    ...terms.flatMap(({ except }) => except.map((phrase) => [phrase.toLowerCase(), undefined] as const)),
  ])
  const longestFirst = [...byPhrase.keys()].sort((a, b) => b.length - a.length)
  const phrases = new RegExp(`(?<![\\p{L}{])(${longestFirst.join('|')})(?:e?s)?(?![\\p{L}}])`, 'giu')
  const found = [...text.matchAll(phrases)].map(([, phrase = '']) => byPhrase.get(phrase.toLowerCase()))
  return [...new Set(found)].filter((term) => term !== undefined)
}

/** Whether a text has every word of a form, in any order and inflection. Words in parentheses are optional. */
function uses(text: string, form: string): boolean {
  const words = form.replace(/\([^)]*\)/g, ' ').split(/\s+/)
  return words.every((word) => text.includes(stem(word)))
}

/** A word without its last vowel sign, virama or anusvara, which suffixes replace; in Tamil without its last -am. */
export const stem = (word: string) => word.replace(/ம்$|[\p{M}]+$/u, '')
