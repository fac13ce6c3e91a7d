import { sessionStore } from '@/api/session-store'
import type { NewVisit } from '@/api/types'
import { keys, read, write } from '@/storage'

/** How many of the last registrations of a service count. */
const counted = 10

/** Whether registrations used the fields that are folded by default, newest first, by person and service. */
type Uses = Readonly<Partial<Record<string, readonly boolean[]>>>

function stored(): Uses {
  try {
    return JSON.parse(read(keys.more) ?? '{}') as Uses
  } catch {
    return {}
  }
}

const nameOf = (service: string) => `${sessionStore.user()?.id ?? ''}/${service}`

/** Whether this person used the folded fields in one of the last registrations of a service. */
export const usesMore = (service: string) => stored()[nameOf(service)]?.some(Boolean) ?? false

/** Whether a registration used the folded fields. The language does not count: F4 changes it without opening them. */
export const isMoreUsed = ({ class: of, told_by: told, messages, documents }: NewVisit) =>
  [of, told, messages, documents].some(Boolean)

export function recordUse(visit: NewVisit) {
  const uses = stored()
  const name = nameOf(visit.serviceId)
  const newest = [isMoreUsed(visit), ...(uses[name] ?? [])]
  write(keys.more, JSON.stringify({ ...uses, [name]: newest.slice(0, counted) }))
}
