import type { Language } from '@/locales/languages'

/** A clip of a pack by its name, or a pause in seconds. */
export type Part = string | number

/** The pause between the parts of an announcement, in seconds. */
const pause = 0.35

type Grammar = {
  /**
   * Numbers from this one on are followed by their digits. 0 for languages with easily confused numbers.
   */
  digitsFrom: number
}

const grammars: Record<Language, Grammar> = {
  en: { digitsFrom: 21 },
  hi: { digitsFrom: 0 },
  kn: { digitsFrom: 21 },
  ta: { digitsFrom: 0 },
  te: { digitsFrom: 21 },
  mr: { digitsFrom: 0 },
}

/** The languages that have a pack. */
export const spoken = Object.keys(grammars) as Language[]

const tokenForm = /^([A-Z])-0*(\d+)$/
/**
 * The letters that have a clip: those of counters, and of tokens issued without network. The T of other
 * tokens has no clip, because "token" is said before the number.
 */
const letters = /^[A-H]$/
/** The greatest number that is said as a whole. Greater numbers are said digit by digit. */
const greatestWhole = 999

const digitsOf = (number: number): string[] => Array.from(String(number))

/** The clips of a number that is said as a whole, such as `h1` and `20` for 120. */
function wholeOf(number: number): string[] {
  const [hundreds, rest] = [Math.floor(number / 100), number % 100]
  if (hundreds === 0) return [String(rest)]
  return [`h${hundreds}`, ...(rest === 0 ? [] : [String(rest)])]
}

function numberOf(number: number, digits: boolean, { digitsFrom }: Grammar): Part[] {
  if (number > greatestWhole) return digitsOf(number)
  const repeated = digits && number >= digitsFrom
  return [...wholeOf(number), ...(repeated ? [pause, ...digitsOf(number)] : [])]
}

/** The clips of a counter: a number from 1 to 99 or a letter from A to H. Other counters are shown, not announced. */
function counterOf(counter: string | null): Part[] {
  if (counter === null) return []
  const text = counter.trim().toUpperCase()
  if (letters.test(text)) return [pause, 'counter', `L${text}`]
  return /^[1-9]\d?$/.test(text) ? [pause, 'counter', text] : []
}

/** The announcement of a call in a language; empty if the token is not a letter, a hyphen and a number. */
export function announce(
  language: Language,
  call: { token: string; counter: string | null },
  digits = true,
): Part[] {
  const [, series = '', number] = tokenForm.exec(call.token) ?? []
  if (number === undefined) return []
  const letter = letters.test(series) ? [`L${series}`] : []
  return [
    'token',
    ...letter,
    ...numberOf(Number(number), digits, grammars[language]),
    ...counterOf(call.counter),
  ]
}
