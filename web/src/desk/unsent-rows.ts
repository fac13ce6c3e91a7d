import { queryOptions } from '@tanstack/react-query'
import { unseal } from './cipher'
import { outboxRows } from './store'
import type { Noted } from './visits'

/** What is not sent, of all days, by day and number. `unsent` is how many there are. */
export const unsentQuery = (unsent: number) =>
  queryOptions({
    queryKey: ['offline-desk', 'unsent', unsent],
    queryFn: async () =>
      Promise.all((await outboxRows()).map(async (row) => ({ ...row, noted: await unseal<Noted>(row) }))),
    networkMode: 'always',
    staleTime: 0,
    gcTime: 0,
  })
