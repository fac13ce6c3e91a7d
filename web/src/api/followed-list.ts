import { replaceEqualDeep, type QueryFunctionContext } from '@tanstack/react-query'

/** A list in the cache. */
export type Followed<Row> = {
  rows: Row[]
  /** The next request asks for changes after this position; undefined: for the whole list. */
  position: string | undefined
  /**
   * The time, in milliseconds since 1970, from which the whole list is requested again: some fields change without an
   * event.
   */
  wholeFrom: number
  /**
   * In an answer that is not merged yet, `rows` are those that changed, and `removed` has the ids that left the list.
   */
  removed?: readonly string[]
}

/** A server of the previous release answers with an array, which is the whole list. */
type Answer<Row> = {
  rows: Row[]
  removed?: readonly string[] | undefined
  reset?: boolean | undefined
  position?: string | undefined
}

type Rules<Row> = {
  read: (query: { since?: string }, signal: AbortSignal) => Promise<Answer<Row>>
  /** The order of the whole list. In a list without an order, only a whole answer adds rows. */
  order?: (one: Row, other: Row) => number
  /** The milliseconds after which fields of these rows will have changed without an event. */
  agesIn?: (rows: readonly Row[]) => number
  /** Whether a row of an answer is requested again, because a part of it is computed after its event. */
  isIncomplete?: (row: Row, whole: boolean) => boolean
}

type Identified = { id: string; version?: number }

/** The options of a query that is answered with the whole list once, and then with what changed. */
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
    /** The answer is merged here, in the cache, so that a change that the user made during the request is not lost. */
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
 * A response that was in flight while a row changed is stale: the higher version wins. Unchanged rows keep their object
 * identity, so that only changed ones are rendered again.
 */
function newer<Row extends Identified>(before: Row | undefined, row: Row): Row {
  if (before?.version !== undefined && row.version !== undefined && before.version > row.version)
    return before
  return replaceEqualDeep(before, row)
}
