import publicTexts from './locales/en-public'
import type adminTexts from './locales/en-admin'
import type attentionTexts from './locales/en-attention'
import type settingsTexts from './locales/en-settings'
import type { English } from './locales/english'
import type { Language } from './locales/languages'

export type PublicTexts = Pick<English, keyof typeof publicTexts>
export type AdminTexts = Pick<English, keyof typeof adminTexts>
export type AttentionTexts = Pick<English, keyof typeof attentionTexts>
export type SettingsTexts = Pick<English, keyof typeof settingsTexts>
export type StaffTexts = Omit<
  English,
  keyof PublicTexts | keyof AdminTexts | keyof AttentionTexts | keyof SettingsTexts
>

declare global {
  /**
   * Set by the script of a language, which a page loads before the application: see build/catalogues.ts. `staff`,
   * `admin` and `settings` are added by staff-texts.ts.
   */
  var translation:
    | {
        readonly language: Language
        readonly messages: PublicTexts
        staff?: (StaffTexts & AttentionTexts) | undefined
        admin?: AdminTexts | undefined
        settings?: SettingsTexts | undefined
      }
    | undefined
}

/** The language of the texts, as a BCP 47 tag: it also selects plural forms and the format of dates. */
export const locale: Language = globalThis.translation?.language ?? 'en'

/** The locale of formatted dates and times. Digits are Latin in every language; Marathi has its own by default. */
export const formatLocaleOf = (language: Language) => `${language}-u-nu-latn`

export const formatLocale = formatLocaleOf(locale)

/** The texts that every page has, by screen or feature. `{name}` is a placeholder for `fill`. */
export const messages: PublicTexts =
  globalThis.translation?.messages ?? (publicTexts as unknown as PublicTexts)

/** The names of the placeholders of a message. */
export type Places<T extends string> = T extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Places<Rest>
  : never

/** Fills the placeholders of a message; a missing value does not compile. Numbers are grouped. */
export function fill<T extends string>(message: T, values: Record<Places<T>, string | number>): string {
  const given: Record<string, string | number> = values
  return message.replace(placeholder, (_place, name: string) => printed(given[name]) ?? '')
}

const placeholder = /\{(\w+)\}/g

/**
 * Fills the placeholders of a message whose values are known only at run time, such as those that a service sends.
 * Numbers are grouped. Returns undefined when a value is missing.
 */
export function fillKnown(message: string, values: Readonly<Record<string, unknown>>): string | undefined {
  const names = [...message.matchAll(placeholder)].map(([, name = '']) => name)
  if (names.some((name) => printed(values[name]) === undefined)) return undefined
  return message.replace(placeholder, (_place, name: string) => printed(values[name]) ?? '')
}

function printed(value: unknown): string | undefined {
  if (typeof value === 'number') return counted(value)
  return typeof value === 'string' ? value : undefined
}

const indian = new Intl.NumberFormat('en-IN')

/** Formats a count in the Indian grouping, which is the same in every language of the office: 1,00,000. */
export const counted = (value: number) => indian.format(value)

/** A value to be shown: a number is formatted as a count. */
export const grouped = <Value>(value: Value) => (typeof value === 'number' ? counted(value) : value)

/** The forms of a message by plural category. A language may have categories that English does not have. */
type Plural<One extends string, Other extends string> = { readonly one: One; readonly other: Other }

const plurals = new Intl.PluralRules(locale)

/** The form of a message for a count, by the plural rules of the locale. */
export function plural<One extends string, Other extends string>(forms: Plural<One, Other>, count: number) {
  const known: Partial<Record<Intl.LDMLPluralRule, One | Other>> = forms
  return known[plurals.select(count)] ?? forms.other
}
