import { messages } from '@/staff-messages'

const text = messages.dashboard

/** The four dashboards; an admin may open each. */
export const dashboards = [
  { to: '/dashboard/receptionist', label: text.receptionist },
  { to: '/dashboard/pa', label: text.pa },
  { to: '/dashboard/consultant', label: text.consultant },
  { to: '/dashboard/admin', label: text.admin },
] as const
