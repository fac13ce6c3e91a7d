import { en } from './locales/en'

/** The language of the texts, as a BCP 47 tag: it also selects plural forms and the format of dates. */
export const locale = 'en'

/** Every text on screen, by screen or feature. `{name}` is a placeholder for `fill`. */
export const messages: typeof en = en

/** The names of the placeholders of a message. */
export type Places<T extends string> = T extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Places<Rest>
  : never

/** Fills the placeholders of a message; a missing value does not compile. */
export function fill<T extends string>(message: T, values: Record<Places<T>, string | number>): string {
  const given: Record<string, string | number> = values
  return message.replace(placeholder, (_place, name: string) => String(given[name] ?? ''))
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

type Plural<One extends string, Many extends string> = { readonly one: One; readonly many: Many }

const plurals = new Intl.PluralRules(locale)

/** The form of a message for a count, by the plural rules of the locale. */
export const plural = <One extends string, Many extends string>(forms: Plural<One, Many>, count: number) =>
  plurals.select(count) === 'one' ? forms.one : forms.many
