import { textsOf, type Texts } from '@/test/catalogue-lint'

/** Texts of the office in English, such as the names of services, with their translations. */
export type OfficeWords = ReadonlyMap<string, string>

/** A text or an expression by which a scene finds an element, as an argument of Playwright. */
export type Words = string | RegExp

/** Translates an English text or expression for a search on the screen. If `exact` is set, only whole texts match. */
export type Translate = (words: Words, exact?: boolean) => Words

/** A part of a text in the catalogue: a letter, or the name of a placeholder. */
type Token = { letter: string } | { place: string }
type Text = { tokens: Token[]; translation: string }
type Sought = { text: string; begins: boolean; ends: boolean }
type Values = Record<string, string>
type Found = { translation: string; values: Values; letters: number; whole: boolean }

/**
 * Returns a function that translates a search on an English screen into a search on the same screen in another
 * language. It looks for texts in the English catalogue that contain the searched text, with values in place of the
 * placeholders, and returns their translations. Any other text is data: it is translated only if `office` has it.
 */
export function translator(english: Texts, translation: Texts, office: OfficeWords): Translate {
  const translated = new Map(textsOf(translation).map(({ key, text }) => [key, text]))
  const texts = textsOf(english).map(({ key, text }) => ({
    tokens: tokensOf(text),
    translation: translated.get(key) ?? text,
  }))
  return (words, exact = false) => {
    const sought = soughtBy(words, exact)
    const named = office.get(sought.text)
    if (named) return patternOf([`${escaped(sought.text)}|${escaped(named)}`], sought)
    const found = bestOf(texts, sought)
    if (found.length === 0) return words
    const whole = found.every((one) => one.whole)
    const patterns = found.map((one) => filled(one, office))
    return patternOf([...new Set(patterns)], { begins: sought.begins, ends: sought.ends && whole })
  }
}

const tokensOf = (text: string): Token[] =>
  (text.match(/\{\w+\}|[^{]/gu) ?? []).map((part) =>
    part.startsWith('{') ? { place: part } : { letter: part },
  )

/** The text to search for. For an expression, it has the literal characters and an example per open part. */
function soughtBy(words: Words, exact: boolean): Sought {
  if (typeof words === 'string') return { text: words, begins: exact, ends: exact }
  const { source } = words
  const text = source
    .replace(/^\^|\$$/g, '')
    .replaceAll('.*', '…')
    .replace(/\\(.)/g, '$1')
  return { text, begins: source.startsWith('^'), ends: source.endsWith('$') }
}

/**
 * The texts that share the most letters with the search. A match of a whole text is better than a match of a
 * part, unless the search is for a beginning only or an end only, or values are more than two thirds of it.
 */
function bestOf(texts: Text[], sought: Sought): Found[] {
  // With only a few letters around its values, a text would match any data.
  const least = Math.max(3, sought.text.length / 5)
  const found = texts.flatMap((text) => find(text, sought)).filter(({ letters }) => letters >= least)
  const complete = ({ whole, letters }: Found) =>
    whole && sought.begins === sought.ends && letters * 3 >= sought.text.length
  const worth = (one: Found) => (complete(one) ? 1_000 : 0) + one.letters
  const best = Math.max(...found.map(worth))
  return found.filter((one) => worth(one) === best)
}

/** The matches of the search in the text: at most one for each position at which it may begin. */
function find({ tokens, translation }: Text, { text, begins, ends }: Sought): Found[] {
  const starts = tokens.slice(0, begins ? 1 : undefined).map((_, start) => start)
  return starts.flatMap((start) => {
    const rest = tokens.slice(start)
    const whole = start === 0 ? align(rest, text, true) : undefined
    const values = whole ?? align(rest, text, ends)
    if (!values) return []
    const inPlaces = Object.values(values).reduce((sum, value) => sum + value.length, 0)
    return { translation, values, letters: text.length - inPlaces, whole: whole !== undefined }
  })
}

/**
 * The values of the placeholders with which the tokens match a text: all tokens if `equal` is set, otherwise
 * only the first ones. Undefined if they do not match.
 */
function align(tokens: Token[], text: string, equal: boolean): Values | undefined {
  const [first, ...rest] = tokens
  if (text === '') return !equal || !first ? {} : undefined
  if (!first) return undefined
  if ('letter' in first) return text.startsWith(first.letter) ? align(rest, text.slice(1), equal) : undefined
  for (let length = 1; length <= text.length; length++) {
    const values = align(rest, text.slice(length), equal)
    if (values) return { ...values, [first.place]: text.slice(0, length) }
  }
  return undefined
}

/**
 * The expression for the translation of a found text. Values that are numbers or tokens must be on the screen
 * unchanged; any other value may be translated there.
 */
const filled = ({ translation, values }: Found, office: OfficeWords) =>
  translation
    .split(/(\{\w+\})/)
    .map((part, index) => {
      if (index % 2 === 0) return escaped(part)
      const value = values[part] ?? ''
      const named = office.get(value)
      if (named) return `(?:${escaped(value)}|${escaped(named)})`
      return /^((T-)?\d+|\[\d-\d\])$/.test(value) ? value : '.*'
    })
    .join('')

const patternOf = (patterns: string[], { begins, ends }: Omit<Sought, 'text'>) =>
  new RegExp(`${begins ? '^' : ''}(?:${patterns.join('|')})${ends ? '$' : ''}`)

const escaped = (text: string) => text.replace(/[$()*+.?[\\\]^{|}]/g, '\\$&')
