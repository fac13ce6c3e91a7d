import { queryOptions } from '@tanstack/react-query'
import { api, payload } from '@/api/client'
import { Fault } from '@/api/fault'
import { followed } from '@/api/followed-list'
import { messages } from '@/staff-messages'
import { consultantOf, serviceOf } from './models'

export const directoryKeys = {
  services: ['directory', 'services'] as const,
  consultants: ['directory', 'consultants'] as const,
  users: ['directory', 'users'] as const,
  inviteLinks: ['directory', 'invite-links'] as const,
}

/** The services. For an admin, these include the inactive ones. */
export const servicesQuery = queryOptions({
  queryKey: directoryKeys.services,
  queryFn: async ({ signal }) =>
    (await payload(api.GET('/api/services', { signal }))).services.map(serviceOf),
  meta: { failure: messages.directory.servicesFailed },
})

/** The consultants with their load. Rejects with 'Failed to load consultants', caused by the server's reason. */
export const consultantsQuery = queryOptions({
  queryKey: directoryKeys.consultants,
  ...followed({
    read: async (query, signal) => {
      try {
        const { consultants, ...answer } = await payload(
          api.GET('/api/users/consultants', { params: { query }, signal }),
        )
        return { rows: consultants.map(consultantOf), ...answer }
      } catch (cause) {
        throw cause instanceof Fault ? cause.withMessage(messages.directory.consultantsFailed) : cause
      }
    },
  }),
  meta: { failure: messages.visits.loadFailed },
})

const accountsAtOnce = 100

/** Loads accounts page by page. */
async function readAccounts(filter: { awaiting?: true }, signal: AbortSignal) {
  const readPage = (page: number) =>
    payload(api.GET('/api/users', { params: { query: { page, limit: accountsAtOnce, ...filter } }, signal }))
  const first = await readPage(1)
  const rest = Array.from({ length: Math.max(0, first.pagination.pages - 1) }, (_, index) =>
    readPage(index + 2),
  )
  const others = await Promise.all(rest)
  return [first, ...others].flatMap(({ users }) => users)
}

/** All accounts of the office. */
export const accountsQuery = queryOptions({
  queryKey: directoryKeys.users,
  queryFn: ({ signal }) => readAccounts({}, signal),
  meta: { failure: messages.visits.loadFailed },
})

/** The people who wait for approval, the longest first. An older server answers all accounts. */
export const waitingQuery = queryOptions({
  queryKey: [...directoryKeys.users, 'waiting'],
  queryFn: async ({ signal }) =>
    (await readAccounts({ awaiting: true }, signal))
      .filter(({ awaiting }) => awaiting)
      .toSorted((one, other) => Date.parse(one.createdAt) - Date.parse(other.createdAt)),
})
