/**
 * Invisible characters, and separators of digits. `services/platform/wire` has the same rule; the tests of both read
 * numbers.tsv.
 */
const unseen = /[\p{Cf}\p{White_Space}]/gu
const separators = /[\p{Pd}\u2212.()/,]/gu
const scheme = /^tel:([^;]*)(?:;.*)?$/i
const countryCode = /^(?:\+|00|0)?91(?=0?\d{10}$)/
const trunk = /^0(?=\d{10}$)/

const isDigit = (code: number) => /\p{Nd}/u.test(String.fromCodePoint(code))

/** The value of a digit. Unicode has each script's digits as a run from 0 to 9; some runs are adjacent. */
function valueOf(digit: string): string {
  const code = digit.codePointAt(0) ?? 0
  let value = 0
  while (isDigit(code - value - 1)) value += 1
  return String(value % 10)
}

/** A text without separators and invisible characters, with ASCII digits. Of a tel: link, only the number is kept. */
export const plainNumber = (typed: string) =>
  typed
    .replace(unseen, '')
    .replace(scheme, '$1')
    .replace(separators, '')
    .replace(/\uff0b/g, '+')
    .replace(/(?!\d)\p{Nd}/gu, valueOf)

/**
 * A phone number in any common form as the ten digits that are stored: +91 98450 33333 and 098450-33333 are 9845033333.
 * Fewer digits without a country code are kept. Anything else is returned as typed, and the rules reject it.
 */
export function tenDigits(typed: string): string {
  const digits = plainNumber(typed).replace(countryCode, '').replace(trunk, '')
  return /^\d{0,10}$/.test(digits) ? digits : typed
}

/** Whether a text is a phone number or the beginning of one, and not a name. */
export const isNumber = (typed: string) => /^\+?\d+$/.test(plainNumber(typed))
