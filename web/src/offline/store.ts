import { openDB, type DBSchema, type IDBPDatabase } from 'idb'

/** The lease of a day, with the last number that this desk has given out. */
type Lease = { day: string; last: number }

/** A value encrypted with the key of this browser. */
export type Sealed = { iv: Uint8Array<ArrayBuffer>; body: ArrayBuffer }

/** A visit that is not sent yet. */
export type NotedRow = Sealed & {
  day: string
  number: number
  /** The idempotency key of the registration. */
  key: string
  /** Why the visit is not accepted: the server's code, or `unreadable`. */
  refused?: string
}

type DeskSchema = DBSchema & {
  keys: { key: string; value: unknown }
  lease: { key: string; value: Lease }
  /** The unsent visits. The store keeps the name that the first release gave it, because desks have rows in it. */
  outbox: { key: [string, number]; value: NotedRow; indexes: { key: string } }
  lists: { key: string; value: Sealed & { at: string } }
}

let opened: Promise<IDBPDatabase<DeskSchema>> | undefined

/** Opens the database, once. After a failure or a close, the next call opens it. */
const database = () =>
  (opened ??= openDB<DeskSchema>('baari-desk', 1, {
    upgrade(db) {
      db.createObjectStore('keys')
      db.createObjectStore('lease', { keyPath: 'day' })
      db.createObjectStore('outbox', { keyPath: ['day', 'number'] }).createIndex('key', 'key', {
        unique: true,
      })
      db.createObjectStore('lists')
    },
    // Another tab needs a newer version of the database, so this tab closes it.
    blocking: (_current, _blocked, { target }) => {
      ;(target as IDBDatabase).close()
      opened = undefined
    },
    terminated: () => (opened = undefined),
  }).catch((cause: unknown) => {
    opened = undefined
    throw cause
  }))

const strict = { durability: 'strict' } as const

export const readKey = async (name: string): Promise<unknown> => (await database()).get('keys', name)

export async function writeKey(name: string, value: unknown): Promise<void> {
  const tx = (await database()).transaction('keys', 'readwrite', strict)
  await Promise.all([tx.store.put(value, name), tx.done])
}

/** Stores a value unless there is one. Returns the stored value. */
export async function keepFirst(name: string, value: unknown): Promise<unknown> {
  const tx = (await database()).transaction('keys', 'readwrite', strict)
  const known: unknown = await tx.store.get(name)
  if (known === undefined) await tx.store.put(value, name)
  await tx.done
  return known ?? value
}

/** Stores the leased days. The last number that was given out here is kept. */
export async function keepLease(days: readonly Lease[]): Promise<void> {
  const tx = (await database()).transaction('lease', 'readwrite', strict)
  for (const { day, last } of days) {
    const known = await tx.store.get(day)
    await tx.store.put({ day, last: Math.max(last, known?.last ?? 0) })
  }
  await tx.done
}

/** Deletes the leases. Without a lease, the desk gives out no tokens. */
export async function forgetLeases(): Promise<void> {
  const tx = (await database()).transaction('lease', 'readwrite', strict)
  await Promise.all([tx.store.clear(), tx.done])
}

/**
 * Stores a visit under the next number of a day, in one transaction that is on the disk before it ends. Returns
 * undefined if the day is not leased. If the key is already stored, returns its row.
 */
export async function take(day: string, key: string, sealed: Sealed): Promise<NotedRow | undefined> {
  const tx = (await database()).transaction(['lease', 'outbox'], 'readwrite', strict)
  const rows = tx.objectStore('outbox')
  const known = await rows.index('key').get(key)
  if (known) {
    await tx.done
    return known
  }
  const lease = await tx.objectStore('lease').get(day)
  if (!lease) {
    await tx.done
    return undefined
  }
  const row: NotedRow = { ...sealed, day, number: lease.last + 1, key }
  await tx.objectStore('lease').put({ day, last: row.number })
  await rows.add(row)
  await tx.done
  return row
}

/** The visits that are not sent yet, by day and number. */
export const notedRows = async (): Promise<NotedRow[]> => (await database()).getAll('outbox')

/** Whether a row's visit is unchanged since it was read: a changed visit is encrypted with a new IV. */
const isUnchanged = (row: NotedRow, known: NotedRow | undefined) =>
  known !== undefined && row.iv.every((byte, index) => byte === known.iv[index])

/** Replaces a row that was read. If its visit was changed or sent meanwhile, nothing is stored. */
export async function replaceRow(
  read: NotedRow,
  change: Partial<Sealed & Pick<NotedRow, 'refused'>>,
): Promise<'replaced' | 'changed' | 'sent'> {
  const tx = (await database()).transaction('outbox', 'readwrite', strict)
  const known = await tx.store.get([read.day, read.number])
  if (known && isUnchanged(read, known)) await tx.store.put({ ...known, ...change })
  await tx.done
  if (!known) return 'sent'
  return isUnchanged(read, known) ? 'replaced' : 'changed'
}

/** Deletes rows that were read. Rows whose visit has been changed since then are kept. */
export async function dropRows(rows: readonly NotedRow[]): Promise<void> {
  const tx = (await database()).transaction('outbox', 'readwrite', strict)
  for (const row of rows)
    if (isUnchanged(row, await tx.store.get([row.day, row.number])))
      await tx.store.delete([row.day, row.number])
  await tx.done
}

export async function keepList(name: string, sealed: Sealed, at: string): Promise<void> {
  await (await database()).put('lists', { ...sealed, at }, name)
}

export const keptList = async (name: string) => (await database()).get('lists', name)

export async function forgetLists(): Promise<void> {
  await (await database()).clear('lists')
}
