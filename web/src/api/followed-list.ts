import { replaceEqualDeep, type QueryFunctionContext } from '@tanstack/react-query'

/** A list in the cache. Most requests after the first one ask only for its changes. */
export type Followed<Row> = {
  rows: Row[]
  /** The next request asks for the changes after this position. If it is undefined, it asks for the whole list. */
  position: string | undefined
  /**
   * The time, in milliseconds since 1970, from which the whole list must be requested again, because some fields change
   * without an event.
   */
  wholeFrom: number
  /**
   * Only in an answer that is not merged yet: the ids of the rows that left the list. `rows` has only the changed rows
   * then.
   */
  removed?: readonly string[]
}

/** A server of the previous release answers with the whole list, without the optional fields. */
type Answer<Row> = {
  rows: Row[]
  removed?: readonly string[] | undefined
  reset?: boolean | undefined
  position?: string | undefined
}

type Rules<Row> = {
  read: (query: { since?: string }, signal: AbortSignal) => Promise<Answer<Row>>
  /** Compares two rows by their order in the list. Without this, new rows are put at the end. */
  order?: (one: Row, other: Row) => number
  /** The milliseconds after which fields of these rows will have changed without an event. */
  agesIn?: (rows: readonly Row[]) => number
  /** Whether a row of an answer is requested again, because a part of it is computed after its event. */
  isIncomplete?: (row: Row, whole: boolean) => boolean
}

type Identified = { id: string; version?: number }

/** The options of a React Query that reads the whole list at first, and later only its changes if possible. */
export function followed<Row extends Identified>({ read, order, agesIn, isIncomplete }: Rules<Row>) {
  return {
    queryFn: async (context: QueryFunctionContext): Promise<Followed<Row>> => {
      const asked = Date.now()
      const known = context.client.getQueryData<Followed<Row>>(context.queryKey)
      const since = known && asked < known.wholeFrom ? known.position : undefined
      const answer = await read(since === undefined ? {} : { since }, context.signal)
      const { rows, removed = [] } = answer
      const whole = !known || (answer.reset ?? true)
      const list = {
        rows,
        position: rows.some((row) => isIncomplete?.(row, whole)) ? known?.position : answer.position,
        wholeFrom: asked + (agesIn?.(rows) ?? Infinity),
      }
      if (whole) return list
      return { ...list, removed, wholeFrom: Math.min(known.wholeFrom, list.wholeFrom) }
    },
    select: rowsOf<Row>,
    /**
     * The answer is merged here, into the cache, so that changes that the user has made during the request are kept.
     */
    structuralSharing: (known: unknown, answered: unknown): unknown =>
      // React Query also calls this function with the result of `select`.
      Array.isArray(answered)
        ? answered
        : merged(known as Followed<Row> | undefined, answered as Followed<Row>, order),
  }
}

function rowsOf<Row>({ rows }: Followed<Row>): Row[] {
  return rows
}

function merged<Row extends Identified>(
  known: Followed<Row> | undefined,
  { removed, ...answered }: Followed<Row>,
  order: Rules<Row>['order'],
): Followed<Row> {
  if (!known) return answered
  const before = new Map(known.rows.map((row) => [row.id, row]))
  let rows = answered.rows.map((row) => newer(before.get(row.id), row))
  if (removed) {
    const changed = new Map(rows.map((row) => [row.id, row]))
    const left = new Set(removed)
    const stayed = known.rows.filter(({ id }) => !left.has(id)).map((row) => changed.get(row.id) ?? row)
    const added = rows.filter(({ id }) => !before.has(id))
    rows = order && added.length > 0 ? [...stayed, ...added].toSorted(order) : [...stayed, ...added]
  }
  const same = rows.length === known.rows.length && rows.every((row, index) => row === known.rows[index])
  return { ...answered, rows: same ? known.rows : rows }
}

/**
 * A response may be older than a row in the cache, so the row with the higher version is kept. Unchanged rows keep
 * their object identity, so that React renders only the changed ones again.
 */
function newer<Row extends Identified>(before: Row | undefined, row: Row): Row {
  if (before?.version !== undefined && row.version !== undefined && before.version > row.version)
    return before
  return replaceEqualDeep(before, row)
}
