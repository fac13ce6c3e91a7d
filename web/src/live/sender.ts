import type { Role } from '@/api/types'
import { fill } from '@/messages'
import { messages } from '@/staff-messages'

/**
 * The sender of a notification, with the role, because users choose their own names. Notifications of older releases
 * have no role.
 */
export function senderOf(name: string, role: Role | undefined): string {
  if (name === '') return ''
  if (role === undefined) return fill(messages.notifications.from, { name })
  return fill(messages.notifications.fromWithRole, { name, role: messages.auth.roles[role] })
}
