import type { Pointer } from '@/features/settings/data/pointer'
import { messages } from '@/settings-messages'

export type SettingText = { readonly title: string; readonly description: string }

const texts = new Map<string, SettingText>(Object.entries(messages.setting))

/** The pointer of the setting that a value belongs to: /hours for /hours/0/close. */
export function settingOf(pointer: string): Pointer {
  for (let at = pointer; at !== ''; at = at.slice(0, at.lastIndexOf('/')))
    if (texts.has(at)) return at as Pointer
  return ''
}

/** The name and the explanation of the setting that a value belongs to. */
export const settingText = (pointer: string): SettingText =>
  texts.get(settingOf(pointer)) ?? { title: pointer, description: '' }
