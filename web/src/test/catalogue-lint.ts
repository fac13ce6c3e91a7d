import { demands, type Term } from './glossary'

/** A catalogue, or a part of one: nested texts. */
export type Texts = { readonly [key: string]: Texts | string } | readonly (Texts | string)[]

/** What a translation is compared with. */
export type Reference = {
  english: Texts
  /** The words that are not translated: names, keys, abbreviations in Latin letters. */
  kept: ReadonlySet<string>
  glossary: readonly Term[]
}

const scripts: Record<string, RegExp> = {
  hi: /\p{Script=Devanagari}/u,
  mr: /\p{Script=Devanagari}/u,
  kn: /\p{Script=Kannada}/u,
  ta: /\p{Script=Tamil}/u,
  te: /\p{Script=Telugu}/u,
}

/** The faults of a translated catalogue, one sentence each, with the key of the text. */
export function faultsOf(language: string, translation: Texts, reference: Reference): string[] {
  const categories = new Intl.PluralRules(language).resolvedOptions().pluralCategories
  const expected = new Map(textsOf(reference.english).flatMap((text) => inCategories(text, categories)))
  const found = new Map(textsOf(translation).map(({ key, text }) => [key, text]))
  return [
    ...[...expected.keys()].filter((key) => !found.has(key)).map((key) => `${key}: missing`),
    ...[...found.keys()].filter((key) => !expected.has(key)).map((key) => `${key}: not in English`),
    ...[...found].flatMap(([key, text]) => {
      const forms = expected.get(key)
      return forms ? faultsOfText(language, text, forms, reference).map((fault) => `${key}: ${fault}`) : []
    }),
  ]
}

type Text = { key: string; text: string; plural?: { one: string; other: string } }

/** Every text with its key. A plural message is marked at each of its forms. */
export function textsOf(node: Texts, path = ''): Text[] {
  const plural = pluralOf(node)
  return Object.entries(node).flatMap(([name, inner]: [string, Texts | string]) => {
    const key = path === '' ? name : `${path}.${name}`
    if (typeof inner !== 'string') return textsOf(inner, key)
    return [{ key, text: inner, ...(plural && { plural }) }]
  })
}

/** An object is a plural message if its keys are the plural categories of English. */
function pluralOf(node: Texts) {
  const { one, other, ...rest } = node as Record<string, unknown>
  const is = typeof one === 'string' && typeof other === 'string' && Object.keys(rest).length === 0
  return is ? { one, other } : undefined
}

/**
 * Returns the keys that a translation of an English text must have in a language with these plural categories, each
 * with the English forms that it may translate. The form `one` may translate either form, because in some languages
 * it is also used for zero and then needs the number, which English omits.
 */
function inCategories({ key, text, plural }: Text, categories: readonly string[]): [string, string[]][] {
  if (!plural) return [[key, [text]]]
  if (key.endsWith('.one')) return []
  const message = key.slice(0, -'.other'.length)
  return categories.map((category) => [
    `${message}.${category}`,
    category === 'one' ? [plural.one, plural.other] : [plural.other],
  ])
}

const places = (text: string) => [...new Set(text.match(/\{\w+\}/g))].sort().join(' ')
const withoutPlaces = (text: string) => text.replace(/\{\w+\}/g, ' ')
const latinWords = (text: string) => withoutPlaces(text).match(/[A-Za-z][A-Za-z0-9]*/g) ?? []

function faultsOfText(language: string, text: string, forms: string[], reference: Reference): string[] {
  const foreign = [...new Set(latinWords(text))].filter((word) => !reference.kept.has(word))
  const letters = withoutPlaces(text).match(/[\p{L}\p{M}\p{Nd}]/gu) ?? []
  const others = letters.filter((letter) => isForeign(letter, language))
  const translatable = forms.some((form) => latinWords(form).some((word) => !reference.kept.has(word)))
  const absent = forms.map((form) => demands(form, text, language, reference.glossary))
  const faults: (string | false)[] = [
    text.trim() !== text && 'begins or ends with a space',
    text.trim() === '' && 'is empty',
    text.normalize('NFC') !== text && 'is not in Unicode normalization form C',
    !forms.some((form) => places(form) === places(text)) &&
      `has not the placeholders ${places(forms[0] ?? '')}`,
    /[^{}]*[{}]/.test(text.replace(/\{\w+\}/g, '')) && 'has a brace without a placeholder',
    foreign.length > 0 && `has untranslated words: ${foreign.join(', ')}`,
    others.length > 0 && `has characters of another script: ${others.join(' ')}`,
    translatable && !(scripts[language] ?? /\p{L}/u).test(text) && 'is not translated',
    !absent.some((missing) => missing.length === 0) && `needs the glossary's ${absent[0]?.join(', ') ?? ''}`,
  ]
  return faults.filter((fault) => fault !== false)
}

/**
 * Whether a character is a letter or mark of a third script, neither the language's nor Latin, or a digit that is not
 * Latin.
 */
function isForeign(letter: string, language: string): boolean {
  if (/\p{Nd}/u.test(letter)) return !/[0-9]/.test(letter)
  return (
    !/\p{Script=Latin}|\p{Script=Inherited}|\p{Script=Common}/u.test(letter) &&
    !scripts[language]?.test(letter)
  )
}
