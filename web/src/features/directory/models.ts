import type { Account, Consultant as ConsultantAnswer, Role, Service as ServiceAnswer } from '@/api/types'
import { messages } from '@/staff-messages'
import type { IconName } from '@/ui/icon'
import type { ServiceTexts } from '@/ui/office-words'
import { serviceIcon } from '@/ui/service-icon'

export type Service = {
  id: string
  name: string
  description: string
  /** Minutes. */
  estimatedTime: number
  active: boolean
  /** Of due dates. */
  group: ServiceAnswer['group'] | undefined
  icon: IconName
  texts: ServiceTexts
  papers: ServiceAnswer['documents']
}

export type Consultant = {
  id: string
  name: string
  specialization: string[]
  isActive: boolean
  currentQueue: number
  /** The number of sessions that were completed today. */
  totalSessions: number
  inSession: boolean
  /** Ids of services; empty for all. */
  serves: string[]
  /** The suggested desk number; empty for none. */
  counter: string
}

/** A response as older or foreign servers may send it: only id and name are certain. */
type Loose<T extends { id: unknown; name: unknown }> = Partial<Omit<T, 'id' | 'name' | 'is_active'>> & {
  id: string | number
  name: string
  is_active?: number | boolean
}

export function serviceOf(service: Loose<ServiceAnswer>): Service {
  return {
    id: String(service.id),
    name: service.name,
    description: service.description ?? '',
    estimatedTime: service.est_minutes ?? 0,
    active: service.is_active === 1 || service.is_active === true,
    group: service.group,
    icon: serviceIcon(service.name),
    texts: service.texts ?? {},
    papers: service.documents ?? [],
  }
}

export function consultantOf(consultant: Loose<ConsultantAnswer>): Consultant {
  const { specialization = [] } = consultant
  return {
    id: String(consultant.id),
    name: consultant.name,
    specialization: specialization.length > 0 ? specialization : [messages.directory.generalConsultation],
    isActive: consultant.isActive ?? true,
    currentQueue: consultant.currentQueue ?? 0,
    totalSessions: consultant.totalSessions ?? 0,
    inSession: consultant.inSession ?? false,
    serves: consultant.serves ?? [],
    counter: consultant.counter ?? '',
  }
}

/** The most characters of a desk number. */
export const longestCounter = 12

/** Whether a consultant is active and has an empty queue, even during a session. */
export const isAvailable = ({ isActive, currentQueue }: Consultant) => isActive && currentQueue === 0

/** All roles, as options of a field. */
export const roles = (['reception', 'pa', 'consultant', 'admin'] as const).map((value) => ({
  value,
  label: messages.auth.roles[value],
}))

/** A member of staff; consultants have specializations and load. */
export type Staff = {
  id: string
  name: string
  email: string
  role: Role
  isActive: boolean
  /** The end of the link that sets the first password; null for an account with a password. */
  invitedUntil: string | null
  consultant: Consultant | undefined
}

/** An account as answered. An older server does not send whether the account waits or is invited. */
type Answer = Pick<Account, 'id' | 'name' | 'email' | 'role' | 'isActive'> &
  Partial<Pick<Account, 'awaiting' | 'invitedUntil'>>

/** Joins the accounts with the directory's consultant data. People who wait for approval are not staff yet. */
export function staffOf(accounts: readonly Answer[], consultants: readonly Consultant[]): Staff[] {
  const byId = new Map(consultants.map((consultant) => [consultant.id, consultant]))
  return accounts
    .filter(({ awaiting }) => !awaiting)
    .map(({ id, name, email, role, isActive, invitedUntil = null }) => ({
      id,
      name,
      email,
      role,
      isActive,
      invitedUntil,
      consultant: role === 'consultant' ? byId.get(id) : undefined,
    }))
}
