import { keptWords } from '@/test/catalogues'

/**
 * Addresses, tokens, the names of browsers and of staff whom tests hire, and the halves of a day, which Hindi writes in
 * Latin letters.
 */
const asInEnglish =
  /\S+@\S+|\bT-\d+|(Hired )?\b\w{4}-\d+\b|\b(Chrome|Chromium|Linux|Playwright)\b|\b[ap]m\b/gi

const latinWords = (text: string) => text.match(/[A-Za-z]{2,}/g) ?? []

const plain = (text: string) => text.replace(/\s+/g, ' ').trim().toLowerCase()

/** Finds a text as a whole, between letters of other words. */
const whole = (text: string) =>
  new RegExp(`(?<![a-z])${text.replace(/[$()*+.?[\\\]^{|}]/g, '\\$&')}(?![a-z])`, 'gu')

/**
 * A function that reports whether a text has English words. `data` are the texts of the office, its staff and its
 * visitors: they are allowed where they are whole, but none of their words is allowed by itself.
 */
export function untranslatedIn(data: readonly string[]): (text: string) => boolean {
  const allowed = [...new Set(data.map(plain))]
    .filter((text) => latinWords(text).length > 0)
    .sort((one, other) => other.length - one.length)
    .map(whole)
  return (text) => {
    // Data first: an id of a record contains what looks like the name of a hired person.
    const rest = allowed.reduce((left, one) => left.replace(one, ' '), plain(text)).replace(asInEnglish, ' ')
    return latinWords(rest).some((word) => !isKept(word))
  }
}

const kept = new Set([...keptWords].map((word) => word.toLowerCase()))
const isKept = (word: string) => kept.has(word)
