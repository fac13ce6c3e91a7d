import type { Value } from './document'
import { areSame, memberOf, valueAt, withValueAt, type Pointer } from './pointer'

/** Input that is not saved: what was shown when it began, and what was entered. */
export type Draft<V = Value> = { base: { version: number; value: V }; value: V }

/** A setting that two admins have changed, with both values. */
export type Difference = { key: Pointer; own: unknown; other: unknown }

/** The pointers of a section's keys: its members, and instead of `features` the members of that. */
export function keysOf(value: object): Pointer[] {
  return Object.entries(value).flatMap(([name, inner]: [string, unknown]): Pointer[] => {
    const key = memberOf('', name)
    return name === 'features' && typeof inner === 'object' && inner !== null ? membersOf(inner, key) : [key]
  })
}

const membersOf = (value: object, of: Pointer) => Object.keys(value).map((name) => memberOf(of, name))

/** The own changes, applied to the value that another admin has saved meanwhile. */
export function merged<V extends Value>({ base, value }: Draft<V>, theirs: V): V {
  return keysOf(value)
    .filter((key) => !areSame(valueAt(value, key), valueAt(base.value, key)))
    .reduce((whole, key) => withValueAt(whole, key, valueAt(value, key)), theirs)
}

/** The settings in which the own changes differ from the value that another admin has saved meanwhile. */
export function differences<V extends Value>(draft: Draft<V>, theirs: V): Difference[] {
  const own = merged(draft, theirs)
  return keysOf(own)
    .map((key) => ({ key, own: valueAt(own, key), other: valueAt(theirs, key) }))
    .filter(({ own: mine, other }) => !areSame(mine, other))
}
