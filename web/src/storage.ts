/** The keys of the browser's storage, and functions that also work in a browser that forbids access to it. */
export const keys = {
  token: 'baari.token',
  user: 'baari.user',
  theme: 'ui-theme',
  /** The tips and notifications that were read in this browser. */
  seen: 'baari.seen',
  /** The paper width of printed tokens. */
  paper: 'baari.paper',
  /** The paper size of receipts. */
  receipt: 'baari.receipt',
  /** The order of reception's waiting visitors. */
  order: 'baari.order',
  /** For which services the folded fields of the registration were used. */
  more: 'baari.more',
  /** Set on a paired desk. */
  desk: 'baari.desk',
} as const

/** The keys of the session storage, whose values live as long as the tab. */
export const tabKeys = {
  /** A toast for the next page. */
  flash: 'baari.flash',
  alerts: 'baari.alerts',
  /** Session notes that are not on the server yet. */
  unsaved: 'baari.unsaved',
  /** Input of forms that need no account, while the page loads in another language. */
  carried: 'baari.carried',
  /** Unsent input. */
  drafts: 'baari.drafts',
  /** When the page was last loaded again because a part of it could not be loaded. */
  reloaded: 'baari.reloaded',
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
    // Without storage only convenience is lost: the cookie carries the session.
  }
}

export function remove(...which: Key[]) {
  try {
    for (const key of which) storeOf(key).removeItem(key)
  } catch {
    // Nothing was stored.
  }
}

/** A stored JSON list, or an empty one when it is missing or invalid. */
export function readList(key: Key): unknown[] {
  try {
    const value: unknown = JSON.parse(read(key) ?? '[]')
    return Array.isArray(value) ? value : []
  } catch {
    return []
  }
}
