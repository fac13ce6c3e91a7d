import { findsWord, folded } from '@/find-word'
import { isNumber, plainNumber } from '@/ui/ten-digits'

/** What is sought: folded words, and the digits of a text that is a phone number or a part of one. */
export type Sought = { words: string[]; numbers: string[] }

const trunk = /^0(?=\d{4})/
const countryCode = /^(?:\+|00|0)?910?(?=\d{4})/
const longEnough = /^\d{4,}$/

/** Reads a search. A number is sought as it was typed, and without the country's code or the 0 before it. */
export function soughtIn(search: string): Sought {
  const words = folded(search).split(/\s+/).filter(Boolean)
  if (!isNumber(search)) return { words, numbers: [] }
  const digits = plainNumber(search)
  const parts = [digits, digits.replace(trunk, ''), digits.replace(countryCode, '')]
  return { words, numbers: parts.filter((part) => longEnough.test(part)) }
}

/**
 * Whether a visit is sought: its phone has the number, or each word occurs in its texts, or sounds like a word of
 * theirs in another script. `isToken` says whether a word is that of its token, and undefined for a word that is none.
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
