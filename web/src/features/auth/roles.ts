import type { Role } from '@/api/types'
import { messages } from '@/messages'

const homes: Record<Role, string> = {
  reception: '/dashboard/receptionist',
  pa: '/dashboard/pa',
  consultant: '/dashboard/consultant',
  admin: '/dashboard/admin',
}

const isRole = (role: string): role is Role => Object.hasOwn(homes, role)

/** The dashboard of a role; an unknown role goes to reception. */
export const homeOf = (role: string) => homes[isRole(role) ? role : 'reception']

export const roleLabel = (role: string) => (isRole(role) ? messages.auth.roles[role] : role)

/** The roles offered at registration. */
export const selfRoles: readonly Role[] = ['reception', 'pa', 'consultant']
