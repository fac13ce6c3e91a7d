import type { Language } from '@/locales/languages'
import type { StaffTexts } from '@/messages'

const catalogues: Record<Exclude<Language, 'en'>, () => Promise<{ default: StaffTexts }>> = {
  hi: () => import('virtual:catalogue/staff/hi'),
  kn: () => import('virtual:catalogue/staff/kn'),
  ta: () => import('virtual:catalogue/staff/ta'),
  te: () => import('virtual:catalogue/staff/te'),
  mr: () => import('virtual:catalogue/staff/mr'),
}

/** Loads the texts of the dashboards in the language of the page, for the modules that import `@/staff-messages`. */
export async function loadStaffTexts(): Promise<void> {
  const { translation } = globalThis
  if (translation && translation.language !== 'en')
    translation.staff ??= (await catalogues[translation.language]()).default
}
