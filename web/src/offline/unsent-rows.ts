import { queryOptions } from '@tanstack/react-query'
import { notedOf } from './read-noted'
import { notedRows } from './store'

/**
 * The unsent visits of all days, by day and number. `noted` is undefined for a row that cannot be read. The parameter
 * is the number of unsent visits: when it changes, the visits are read again.
 */
export const unsentQuery = (unsent: number) =>
  queryOptions({
    queryKey: ['offline-desk', 'unsent', unsent],
    queryFn: async () =>
      Promise.all((await notedRows()).map(async (row) => ({ ...row, noted: await notedOf(row) }))),
    networkMode: 'always',
    staleTime: 0,
    gcTime: 0,
  })
