import admin from './locales/en-admin'
import type { English } from './locales/english'

type AdminTexts = Pick<English, keyof typeof admin>

/** The texts of the admin's tabs that are loaded when they are opened, so that the dashboard loads less. */
export const messages: AdminTexts = globalThis.translation?.staff ?? (admin as unknown as AdminTexts)
