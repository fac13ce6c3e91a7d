import { findsWord, folded } from '@/find-word'
import { isNumber, plainNumber } from '@/ui/ten-digits'

/** The terms of a search: words as `folded` returns them, and digits from a phone number. */
export type Sought = { words: string[]; numbers: string[] }

const trunk = /^0(?=\d{4})/
const countryCode = /^(?:\+|00|0)?910?(?=\d{4})/
const longEnough = /^\d{4,}$/

/** Reads a search. A number also matches without the country code or the leading 0. */
export function soughtIn(search: string): Sought {
  const words = folded(search).split(/\s+/).filter(Boolean)
  if (!isNumber(search)) return { words, numbers: [] }
  const digits = plainNumber(search)
  const parts = [digits, digits.replace(trunk, ''), digits.replace(countryCode, '')]
  return { words, numbers: parts.filter((part) => longEnough.test(part)) }
}

/**
 * Whether a visit matches a search: its phone number contains the digits, or each word occurs in its texts or sounds
 * like one of their words in another script. `isToken` returns whether a word is the visit's token, and undefined for a
 * word that may be another text.
 */
export function isSought(
  { words, numbers }: Sought,
  {
    phone,
    texts,
    isToken,
  }: { phone: string; texts: readonly string[]; isToken: (word: string) => boolean | undefined },
): boolean {
  if (numbers.some((part) => phone.includes(part))) return true
  const text = folded([...texts, phone].join('\n'))
  return words.every((word) => isToken(word) ?? findsWord(word, text))
}
