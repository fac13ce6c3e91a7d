import type {
  Change,
  Concerned,
  Effect,
  HoursValue,
  SectionKey,
  Value,
} from '@/features/settings/data/document'
import { optionsAt } from '@/features/settings/fields/options'
import { settingOf, settingText } from '@/features/settings/fields/texts'
import { partSentences } from '@/features/settings/hours/changes'
import { dateText, entrySentences, hoursEntryText, hoursSentences } from '@/features/settings/hours/words'
import { isLanguage } from '@/language'
import { languages } from '@/locales/languages'
import { counted, fill, plural } from '@/messages'
import { messages } from '@/settings-messages'
import { timeOfDay } from '@/ui/time-of-day'

const text = messages.officeSettings

/** The most characters of a value in a sentence; a notice is a page long. */
const longest = 80

const shortened = (value: string) => (value.length > longest ? `${value.slice(0, longest - 1)}…` : value)

/** A value of the document in words. */
export function wordsOf(at: string, value: unknown): string {
  if (value === null || value === undefined || value === '') return text.changes.nothing
  if (typeof value === 'boolean') return value ? text.changes.on : text.changes.off
  if (typeof value === 'number') return counted(value)
  if (typeof value === 'string') return stringWords(at, value)
  if (Array.isArray(value))
    return value.length > 0 ? value.map((one: unknown) => wordsOf(at, one)).join(', ') : text.changes.nothing
  return objectWords(at, value as Readonly<Record<string, unknown>>)
}

function stringWords(at: string, value: string): string {
  const option = optionsAt(settingOf(at)).find((one) => one.value === value)
  if (option) return option.label
  return /languages|order/.test(at) && isLanguage(value) ? languages[value].name : shortened(value)
}

function objectWords(at: string, value: Readonly<Record<string, unknown>>): string {
  const entry = hoursEntryText(value)
  if (entry !== undefined) return entry
  if (typeof value.title === 'string') return shortened(value.title)
  const words = Object.entries(value).map(([name, inner]) =>
    fill(text.changes.set, {
      setting: isLanguage(name) ? languages[name].name : name,
      value: wordsOf(at, inner),
    }),
  )
  return words.length > 0 ? shortened(words.join(', ')) : text.changes.nothing
}

/** What changes in a section, one sentence for each change. */
function changeSentences(changes: readonly Change[]): string[] {
  return changes.flatMap(({ key, before, after }) => {
    const setting = settingText(key).title
    if (Array.isArray(before) && Array.isArray(after))
      return entrySentences<unknown>(before, after, (entry) => wordsOf(key, entry), setting)
    const value = wordsOf(key, after)
    return before === null || before === ''
      ? [fill(text.changes.set, { setting, value })]
      : [fill(text.changes.changed, { setting, value, before: wordsOf(key, before) })]
  })
}

/** The same for a version. `shown` is the value of the hours after it, undefined for another section. */
export function versionSentences(changes: readonly Change[], shown: HoursValue | undefined): string[] {
  const { sentences, left } = partSentences(changes, shown)
  return [...sentences, ...changeSentences(left)]
}

/**
 * The same for a value in a form, whose hours have sentences about days. Changes without a sentence, such as the name
 * of a holiday in another language, are named by their setting.
 */
export function draftSentences(
  section: SectionKey,
  before: Value,
  after: Value,
  changes: readonly Change[],
): string[] {
  const sentences =
    section === 'hours' ? hoursSentences(before as HoursValue, after as HoursValue) : changeSentences(changes)
  return sentences.length > 0 ? sentences : [...new Set(changes.map(({ key }) => settingText(key).title))]
}

/** What a value brings about besides its changes. */
export function effectSentence({ code, count }: Effect): string {
  switch (code) {
    case 'appointments_outside':
      return fill(plural(text.needNewTime, count), { count })
    case 'appointments_over':
      return fill(plural(text.over, count), { count })
    case 'registration_open':
      return text.registrationOpen
    case 'closed_today':
      return fill(plural(text.closedToday, count), { count })
  }
}

/** An appointment that an effect concerns: the name, the day and the time. */
export const concernedText = ({ text: name, date, time }: Concerned): string =>
  [name, dateText(date), timeOfDay(time)].join(', ')
