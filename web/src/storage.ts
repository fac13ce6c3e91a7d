/** The keys of local storage, in one place, and access that survives a browser which forbids it. */
export const keys = { token: 'baari.token', user: 'baari.user', theme: 'ui-theme' } as const

type Key = (typeof keys)[keyof typeof keys]

export function read(key: Key): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}

export function write(key: Key, value: string) {
  try {
    localStorage.setItem(key, value)
  } catch {
    // A full or forbidden storage loses the convenience, not the session: the cookie carries it.
  }
}

export function remove(...which: Key[]) {
  try {
    for (const key of which) localStorage.removeItem(key)
  } catch {
    // Nothing was stored.
  }
}
