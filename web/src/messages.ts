/**
 * Every text that a person can read on a screen, once, as a whole literal: the specification's wording stands here
 * letter by letter ('approveed' and 'denyed' included). `{name}` is a place that `fill` fills.
 */
export const messages = {
  app: {
    name: 'Baari',
    loading: 'Loading...',
  },
  notFound: {
    title: 'Page Under Construction',
    text: 'There is nothing at this address yet.',
    home: 'Go Back Home',
  },
} as const

/** The names between braces in a message. */
type Places<T extends string> = T extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Places<Rest>
  : never

/** Puts values into the `{name}` places of a message; a forgotten name does not compile. */
export function fill<T extends string>(message: T, values: Record<Places<T>, string | number>): string {
  const given: Record<string, string | number> = values
  return message.replace(/\{(\w+)\}/g, (place, name: string) => String(given[name] ?? place))
}
