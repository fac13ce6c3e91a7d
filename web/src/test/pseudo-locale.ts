import type { Texts } from './catalogue-lint'
import { keptWords } from './catalogues'

const accented: Readonly<Record<string, string>> = Object.fromEntries(
  ['aàeéiîoöuü', 'AÀEÉIÎOÖUÜ', 'cçnñsšyýzž', 'CÇNÑSŠYÝZŽ'].flatMap((pairs) =>
    [...pairs.matchAll(/(.)(.)/gu)].map(([, plain = '', accent = '']) => [plain, accent]),
  ),
)

/** How much longer a pseudo-translation is than the English text. */
const growth = 0.4

/**
 * A text of the pseudo-locale `qps`: readable English with accents, 40 % longer, in brackets. A text on screen without
 * accents is not from the catalogue. A text without its last bracket is clipped. Placeholders stay as they are.
 */
export function pseudo(text: string): string {
  const parts = text.split(/(\{\w+\})/)
  const plain = parts.filter((_, index) => index % 2 === 0).join('')
  const worded = parts.map((part, index) => (index % 2 === 0 ? withAccents(part) : part)).join('')
  return `[${worded}${padding(Math.max(0, Math.ceil(plain.length * growth) - 2))}]`
}

/**
 * Gives every letter an accent, so that no word is taken for English. Words that are never translated stay as they are.
 */
const withAccents = (text: string) =>
  text.replace(/[A-Za-z][A-Za-z0-9]*/g, (word) =>
    keptWords.has(word) ? word : word.replace(/[A-Za-z]/g, (letter) => accented[letter] ?? `${letter}\u0301`),
  )

/** Words of five letters, so that a long text wraps. */
const padding = (length: number) => Array.from({ length }, (_, at) => (at % 6 === 0 ? ' ' : '~')).join('')

export function pseudoCatalogue<T extends Texts | string>(node: T): T {
  if (typeof node === 'string') return pseudo(node) as T
  if (Array.isArray(node)) return node.map((inner: Texts | string) => pseudoCatalogue(inner)) as unknown as T
  return Object.fromEntries(
    Object.entries(node).map(([key, inner]: [string, Texts | string]) => [key, pseudoCatalogue(inner)]),
  ) as T
}
