import english from './locales/en-staff'
import { messages as publicMessages, type StaffTexts } from './messages'

function staffTexts(): StaffTexts {
  const { translation } = globalThis
  if (!translation) return english as unknown as StaffTexts
  if (!translation.staff) throw new Error('a module of the dashboards was loaded before their texts')
  return translation.staff
}

/** The texts of the dashboards and of every page. Pages before sign-in import `@/messages`, to load fewer texts. */
export const messages = { ...publicMessages, ...staffTexts() }
