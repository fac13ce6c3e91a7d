import { settingOf } from '@/features/settings/fields/texts'
import type { Value } from './document'
import { areSame, isObject, memberOf, valueAt, withValueAt, type Pointer } from './pointer'

/** Input that is not saved: what was shown when it began, and what was entered. */
export type Draft<V = Value> = { base: { version: number; value: V }; value: V }

/** A setting that two admins have changed, with both values. */
export type Difference = { key: Pointer; own: unknown; other: unknown }

/** The pointers of a section's settings. An object that is no setting, such as `queue`, is a group of settings. */
export const keysOf = (value: object, of: Pointer = ''): Pointer[] =>
  Object.entries(value).flatMap(([name, inner]: [string, unknown]): Pointer[] => {
    const key = memberOf(of, name)
    return isObject(inner) && settingOf(key) === '' ? keysOf(inner, key) : [key]
  })

/** The same of two values: one may lack a setting that the other has. */
const keysOfBoth = (one: object, other: object) => [...new Set([...keysOf(one), ...keysOf(other)])]

/** The own changes, applied to the value that another admin has saved meanwhile. */
export function merged<V extends Value>({ base, value }: Draft<V>, theirs: V): V {
  return keysOfBoth(base.value, value)
    .filter((key) => !areSame(valueAt(value, key), valueAt(base.value, key)))
    .reduce((whole, key) => withValueAt(whole, key, valueAt(value, key)), theirs)
}

/** The settings in which the own changes differ from the value that another admin has saved meanwhile. */
export function differences<V extends Value>(draft: Draft<V>, theirs: V): Difference[] {
  const own = merged(draft, theirs)
  return keysOfBoth(own, theirs)
    .map((key) => ({ key, own: valueAt(own, key), other: valueAt(theirs, key) }))
    .filter(({ own: mine, other }) => !areSame(mine, other))
}
