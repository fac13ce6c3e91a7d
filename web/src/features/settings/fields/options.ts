import type { Pointer } from '@/features/settings/data/pointer'
import { fill, plural } from '@/messages'
import { messages } from '@/settings-messages'

const { options: text } = messages.officeSettings

export type Option = { value: string; label: string }

const optionsOf = (texts: Readonly<Record<string, string>>): Option[] =>
  Object.entries(texts).map(([value, label]) => ({ value, label }))

const mostAfter = 9

const returns: Option[] = [
  { value: 'keep', label: text.return.keep },
  ...Array.from({ length: mostAfter }, (_, index) => ({
    value: `after:${index + 1}`,
    label: fill(plural(text.return.after, index + 1), { count: index + 1 }),
  })),
  { value: 'end', label: text.return.end },
]

/** The values of the settings that have one of a few values. */
const options: Partial<Record<Pointer, Option[]>> = {
  '/theme': optionsOf(text.theme),
  '/checkIn': optionsOf(text.checkIn),
  '/back': optionsOf(text.back),
  '/messages': optionsOf(text.messages),
  '/queue/return': returns,
  '/features/appointments': optionsOf(text.appointments),
  '/features/registration': optionsOf(text.registration),
  '/appointments/feedNames': optionsOf(text.feedNames),
}

export const optionsAt = (at: Pointer): Option[] => options[at] ?? []
