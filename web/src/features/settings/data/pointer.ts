/** Functions on values that are addressed by JSON pointers, such as /hours/0/close. */

/** A JSON pointer: '' for the whole value. */
export type Pointer = '' | `/${string}`

type Node = Readonly<Record<string, unknown>> | readonly unknown[]

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null

/** Whether a value is an object with members, and no list. */
export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  isNode(value) && !Array.isArray(value)

const unescaped = (name: string) => name.replaceAll('~1', '/').replaceAll('~0', '~')

export const namesOf = (pointer: string): string[] => pointer.split('/').slice(1).map(unescaped)

/** The pointer of a member of an object or of a list. */
export const memberOf = (pointer: Pointer, name: string | number): Pointer =>
  `${pointer}/${String(name).replaceAll('~', '~0').replaceAll('/', '~1')}`

/** The value at a pointer; undefined if there is none. */
export function valueAt(value: unknown, pointer: Pointer): unknown {
  return namesOf(pointer).reduce<unknown>(
    (node, name) => (isNode(node) ? (node as Record<string, unknown>)[name] : undefined),
    value,
  )
}

/** A copy of the value with another value at a pointer. Objects on the way are made. */
export function withValueAt<Whole>(value: Whole, pointer: Pointer, next: unknown): Whole {
  return replaced(value, namesOf(pointer), next) as Whole
}

function replaced(value: unknown, [name, ...rest]: readonly string[], next: unknown): unknown {
  if (name === undefined) return next
  if (Array.isArray(value))
    return value.map((one: unknown, index) => (String(index) === name ? replaced(one, rest, next) : one))
  const members = isNode(value) ? (value as Record<string, unknown>) : {}
  return { ...members, [name]: replaced(members[name], rest, next) }
}

/** A copy of an object without one member. */
export const without = <Whole extends object, Name extends keyof Whole>(value: Whole, name: Name) =>
  Object.fromEntries(Object.entries(value).filter(([other]) => other !== name)) as Omit<Whole, Name>

/** Whether two values are the same as JSON, in whatever order their members are. */
export const areSame = (one: unknown, other: unknown) => canonical(one) === canonical(other)

/** The value as JSON with sorted members. */
export const canonical = (value: unknown): string =>
  JSON.stringify(value, (_name, inner: unknown) =>
    isObject(inner) ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1))) : inner,
  )
