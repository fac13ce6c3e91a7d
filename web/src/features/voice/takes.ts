import type { Language } from '@/locales/languages'

/**
 * The clips that were recorded in this browser and are not saved yet, so that a recording can be continued after a
 * pause or a crash.
 */

const database = 'baari-voice'
const store = 'takes'

/** An unfinished recording: the speaker, and the clips by name. */
export type Takes = { speaker: string; clips: Record<string, ArrayBuffer> }

const done = <T>(request: IDBRequest<T>) =>
  new Promise<T>((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result))
    request.addEventListener('error', () => reject(request.error ?? new Error('IndexedDB has failed')))
  })

function open(): Promise<IDBDatabase> {
  const request = indexedDB.open(database, 1)
  request.addEventListener('upgradeneeded', () => request.result.createObjectStore(store))
  return done(request)
}

async function using<T>(mode: IDBTransactionMode, act: (takes: IDBObjectStore) => IDBRequest<T>): Promise<T> {
  const opened = await open()
  try {
    return await done(act(opened.transaction(store, mode).objectStore(store)))
  } finally {
    opened.close()
  }
}

/** The unfinished recording of a language; null if there is none. */
export async function takesOf(language: Language): Promise<Takes | null> {
  return (
    (await using<Takes | undefined>(
      'readonly',
      (takes) => takes.get(language) as IDBRequest<Takes | undefined>,
    )) ?? null
  )
}

export const keepTakes = (language: Language, takes: Takes) =>
  using('readwrite', (all) => all.put(takes, language))

export const dropTakes = (language: Language) => using('readwrite', (all) => all.delete(language))
