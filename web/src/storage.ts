/** The keys of the browser's storage, in one place, and access that survives a browser which forbids it. */
export const keys = {
  token: 'baari.token',
  user: 'baari.user',
  theme: 'ui-theme',
  /** Which tips and notifications have been seen in this browser. */
  seen: 'baari.seen',
  /** The width of the paper that this desk prints tokens on. */
  paper: 'baari.paper',
} as const

/** These live as long as the tab. */
export const tabKeys = {
  /** A toast for the next page. */
  flash: 'baari.flash',
  /** The alerts of this sitting. */
  alerts: 'baari.alerts',
  /** Session notes that the server does not have yet. */
  unsaved: 'baari.unsaved',
  /** What was typed and not sent. */
  drafts: 'baari.drafts',
} as const

type Key = (typeof keys)[keyof typeof keys] | (typeof tabKeys)[keyof typeof tabKeys]

const tabOnly: readonly string[] = Object.values(tabKeys)
const storeOf = (key: Key) => (tabOnly.includes(key) ? sessionStorage : localStorage)

export function read(key: Key): string | null {
  try {
    return storeOf(key).getItem(key)
  } catch {
    return null
  }
}

export function write(key: Key, value: string) {
  try {
    storeOf(key).setItem(key, value)
  } catch {
    // A full or forbidden storage loses the convenience, not the session: the cookie carries it.
  }
}

export function remove(...which: Key[]) {
  try {
    for (const key of which) storeOf(key).removeItem(key)
  } catch {
    // Nothing was stored.
  }
}

/** A stored list of JSON, or an empty one when there is none or it cannot be read. */
export function readList(key: Key): unknown[] {
  try {
    const value: unknown = JSON.parse(read(key) ?? '[]')
    return Array.isArray(value) ? value : []
  } catch {
    return []
  }
}
