import { keptWords } from '@/test/catalogues'

/**
 * Texts that stay in English: addresses, tokens, names of programs and of staff hired by tests, and AM and PM, which
 * Hindi writes in Latin letters.
 */
const asInEnglish =
  /\S+@\S+|\bT-\d+|(Hired )?\b\w{4}-\d+\b|\b(Chrome|Chromium|Linux|Playwright)\b|\b[ap]m\b/gi

const latinWords = (text: string) => text.match(/[A-Za-z]{2,}/g) ?? []

const plain = (text: string) => text.replace(/\s+/g, ' ').trim().toLowerCase()

/** Matches the text only where it is not a part of longer words. */
const whole = (text: string) =>
  new RegExp(`(?<![a-z])${text.replace(/[$()*+.?[\\\]^{|}]/g, '\\$&')}(?![a-z])`, 'gu')

/**
 * Returns a function that reports whether a text has English words. `data` has the texts of the office, its staff and
 * its visitors. These texts are allowed as a whole, but their single words are not.
 */
export function untranslatedIn(data: readonly string[]): (text: string) => boolean {
  const allowed = [...new Set(data.map(plain))]
    .filter((text) => latinWords(text).length > 0)
    .sort((one, other) => other.length - one.length)
    .map(whole)
  return (text) => {
    // Data are removed first, because the id of a record may contain what looks like the name of a hired person.
    const rest = allowed.reduce((left, one) => left.replace(one, ' '), plain(text)).replace(asInEnglish, ' ')
    return latinWords(rest).some((word) => !isKept(word))
  }
}

const kept = new Set([...keptWords].map((word) => word.toLowerCase()))
const isKept = (word: string) => kept.has(word)
