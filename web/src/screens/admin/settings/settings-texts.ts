import { locale } from '@/messages'

/** Loads the texts of the settings in the language of the page, before a module that has them. */
export async function withSettingsTexts<Module>(load: () => Promise<Module>): Promise<Module> {
  if (locale !== 'en') await (await import('@/staff-texts')).loadSettingsTexts()
  return load()
}
