/** What a screen keeps in its browser, so that it starts without the server. */
type Kept = {
  device: { id: string; token: string }
  calls: unknown
  office: unknown
  settings: unknown
  voices: unknown
}

const prefix = 'baari.board.'

export function recall<K extends keyof Kept>(key: K): Kept[K] | null {
  try {
    const text = localStorage.getItem(prefix + key)
    return text === null ? null : (JSON.parse(text) as Kept[K])
  } catch {
    return null
  }
}

export function keep<K extends keyof Kept>(key: K, value: Kept[K]) {
  try {
    localStorage.setItem(prefix + key, JSON.stringify(value))
  } catch {
    // A browser without storage is paired anew after each start.
  }
}

export function forget(...names: (keyof Kept)[]) {
  try {
    names.forEach((key) => localStorage.removeItem(prefix + key))
  } catch {
    // Nothing is stored.
  }
}
