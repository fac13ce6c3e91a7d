import english from './locales/en-settings'
import type { SettingsTexts } from './messages'

function settingsTexts(): SettingsTexts {
  const { translation } = globalThis
  if (!translation) return english as unknown as SettingsTexts
  if (!translation.settings) throw new Error('a module of the settings was loaded before their texts')
  return translation.settings
}

/** The texts of the office's settings, which are loaded when they are opened. */
export const messages = settingsTexts()
