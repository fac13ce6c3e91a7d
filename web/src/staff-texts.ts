import type { Language } from '@/locales/languages'
import type { AdminTexts, AttentionTexts, SettingsTexts, StaffTexts } from '@/messages'

const ofStaff: Record<Exclude<Language, 'en'>, () => Promise<{ default: StaffTexts & AttentionTexts }>> = {
  hi: () => import('virtual:catalogue/staff/hi'),
  kn: () => import('virtual:catalogue/staff/kn'),
  ta: () => import('virtual:catalogue/staff/ta'),
  te: () => import('virtual:catalogue/staff/te'),
  mr: () => import('virtual:catalogue/staff/mr'),
}

const ofAdmin: Record<Exclude<Language, 'en'>, () => Promise<{ default: AdminTexts }>> = {
  hi: () => import('virtual:catalogue/admin/hi'),
  kn: () => import('virtual:catalogue/admin/kn'),
  ta: () => import('virtual:catalogue/admin/ta'),
  te: () => import('virtual:catalogue/admin/te'),
  mr: () => import('virtual:catalogue/admin/mr'),
}

const ofSettings: Record<Exclude<Language, 'en'>, () => Promise<{ default: SettingsTexts }>> = {
  hi: () => import('virtual:catalogue/settings/hi'),
  kn: () => import('virtual:catalogue/settings/kn'),
  ta: () => import('virtual:catalogue/settings/ta'),
  te: () => import('virtual:catalogue/settings/te'),
  mr: () => import('virtual:catalogue/settings/mr'),
}

/** Loads the texts of the dashboards in the language of the page, for the modules that import `@/staff-messages`. */
export async function loadStaffTexts(): Promise<void> {
  const { translation } = globalThis
  if (translation && translation.language !== 'en')
    translation.staff ??= (await ofStaff[translation.language]()).default
}

/** Loads the texts of the admin's tabs, for the modules that import `@/admin-messages`. */
export async function loadAdminTexts(): Promise<void> {
  const { translation } = globalThis
  if (translation && translation.language !== 'en')
    translation.admin ??= (await ofAdmin[translation.language]()).default
}

/** Loads the texts of the settings, for the modules that import `@/settings-messages`. */
export async function loadSettingsTexts(): Promise<void> {
  const { translation } = globalThis
  if (translation && translation.language !== 'en')
    translation.settings ??= (await ofSettings[translation.language]()).default
}
