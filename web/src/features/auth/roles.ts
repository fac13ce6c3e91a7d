import type { Role } from '@/api/types'
import { messages } from '@/messages'

/** Where each role works. */
const homes: Record<Role, string> = {
  reception: '/dashboard/receptionist',
  pa: '/dashboard/pa',
  consultant: '/dashboard/consultant',
  admin: '/dashboard/admin',
}

const isRole = (role: string): role is Role => Object.hasOwn(homes, role)

/** The dashboard of a role; a role this program does not know goes to reception. */
export const homeOf = (role: string) => homes[isRole(role) ? role : 'reception']

/** What a role is called on the screens. */
export const roleLabel = (role: string) => (isRole(role) ? messages.auth.roles[role] : role)

/** The roles a person can choose at registration. */
export const selfRoles: readonly Role[] = ['reception', 'pa', 'consultant']
