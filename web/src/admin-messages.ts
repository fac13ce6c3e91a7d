import admin from './locales/en-admin'
import type { AdminTexts } from './messages'

function adminTexts(): AdminTexts {
  const { translation } = globalThis
  if (!translation) return admin as unknown as AdminTexts
  if (!translation.admin) throw new Error("a module of the admin's tabs was loaded before their texts")
  return translation.admin
}

/** The texts of the admin's tabs. They are loaded when a tab is opened, so that the dashboard itself loads less. */
export const messages = adminTexts()
