import { sessionStore } from '@/api/session-store'
import type { NewVisit } from '@/api/types'
import { keys, read, write } from '@/storage'

/** The last registrations of a service that count. */
const counted = 10

/** Whether the folded fields were used, newest first, by person and service. */
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

/** Records whether a registration used the folded fields. The language does not count: its key works without them. */
export function recordUse({ serviceId, class: of, told_by: told, messages, documents }: NewVisit) {
  const uses = stored()
  const name = nameOf(serviceId)
  const used = [of, told, messages, documents].some(Boolean)
  write(keys.more, JSON.stringify({ ...uses, [name]: [used, ...(uses[name] ?? [])].slice(0, counted) }))
}
