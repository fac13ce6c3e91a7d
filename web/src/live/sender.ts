import type { Role } from '@/api/types'
import { fill, messages } from '@/messages'

/**
 * Who sent a notification. The role stands beside the name, because people choose their names; notifications of an older
 * release have none.
 */
export function senderOf(name: string, role: Role | undefined): string {
  if (name === '') return ''
  if (role === undefined) return fill(messages.notifications.from, { name })
  return fill(messages.notifications.fromWithRole, { name, role: messages.auth.roles[role] })
}
