import type { Language } from '@/locales/languages'

export function clockWords(timeZone: string, language: Language) {
  const locale = `${language}-IN-u-nu-latn`
  const format = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(locale, { timeZone, ...options })
  const time = format({ hour: 'numeric', minute: '2-digit', hour12: true })
  const day = format({ weekday: 'long', day: 'numeric', month: 'long' })
  const plain = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    hour: '2-digit',
    minute: '2-digit',
    hour12: false,
  })
  const date = new Intl.DateTimeFormat('en-CA', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  })
  /** Hour and minute without AM and PM, which a board does not need. */
  const shortOf = (at: number) => {
    const parts = time.formatToParts(at)
    const part = (type: string) => parts.find((one) => one.type === type)?.value ?? ''
    return `${part('hour')}:${part('minute')}`
  }
  return {
    time: shortOf,
    day: (at: number) => day.format(at),
    /** The office's day as 2026-11-27, for comparisons. */
    date: (at: number) => date.format(at),
    /** The time of day as 13:05, for comparisons. */
    timeOfDay: (at: number) => plain.format(at),
  }
}

export type ClockWords = ReturnType<typeof clockWords>
