const separators = /[\s().\-\u2010-\u2015]/g
const countryCode = /^(?:\+91|0091|91|0)(?=\d{10}$)/

/**
 * A phone number as people write it, as the ten digits that are stored: +91 98450 33333 and 098450-33333 are
 * 9845033333. What is not such a number is returned as it was typed, and the rules reject it.
 */
export function tenDigits(typed: string): string {
  const digits = typed.replace(separators, '').replace(countryCode, '')
  return /^\d{0,10}$/.test(digits) ? digits : typed
}

/** Whether a text is a phone number, or the beginning of one, and no name. */
export const isNumber = (typed: string) => /^[+(]?\d[\d\s().+-]*$/.test(typed.trim())
