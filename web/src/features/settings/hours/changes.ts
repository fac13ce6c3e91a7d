import type { Change, HoursValue } from '@/features/settings/data/document'
import { namesOf } from '@/features/settings/data/pointer'
import { settingText } from '@/features/settings/fields/texts'
import { fill } from '@/messages'
import { messages } from '@/settings-messages'
import { dateText, daysText, hoursText, timeText } from './words'

const { changes: text, hours: words, fields } = messages.officeSettings

const part = /^\/(hours|specialDays|yearly)\/(\d+)\/(.+)$/

type Part = { change: Change; of: string; entry: string; list: string; index: number }

const partOf = (change: Change): Part | undefined => {
  const [, list, index, of] = part.exec(change.key) ?? []
  if (list === undefined || index === undefined || of === undefined) return undefined
  return { change, of, entry: `/${list}/${index}`, list, index: Number(index) }
}

/**
 * The sentences of a version about parts of entries, such as the time at which a day closes, and the changes that are
 * left. `shown` is the value of the hours after the version; undefined if it is not known.
 */
export function partSentences(changes: readonly Change[], shown: HoursValue | undefined) {
  const parts = changes.map(partOf).filter((one) => one !== undefined)
  const entries = [...new Set(parts.map(({ entry }) => entry))]
  return {
    sentences: entries.flatMap((entry) =>
      entrySentences(
        parts.filter((one) => one.entry === entry),
        shown,
      ),
    ),
    left: changes.filter((change) => !partOf(change)),
  }
}

const stringOf = (value: unknown) => (typeof value === 'string' ? value : null)

function entrySentences(parts: readonly Part[], shown: HoursValue | undefined): string[] {
  const name = nameOf(parts, shown)
  const changeOf = (of: string) => parts.find((one) => one.of === of)?.change
  const [open, close] = [changeOf('open'), changeOf('close')]
  // A day that opens, closes, or has both times changed.
  const times =
    open && close
      ? [
          fill(text.changed, {
            setting: name,
            value: hoursText({ open: stringOf(open.after), close: stringOf(close.after) }),
            before: hoursText({ open: stringOf(open.before), close: stringOf(close.before) }),
          }),
        ]
      : []
  return [
    ...times,
    ...parts
      .filter(({ of }) => times.length === 0 || (of !== 'open' && of !== 'close'))
      .map((one) => partSentence(one, name)),
  ]
}

/** The days of an entry, the name or the date of a day; the number of the entry if that is not known. */
function nameOf(parts: readonly Part[], shown: HoursValue | undefined): string {
  const [{ list, index, entry }] = parts as [Part]
  const after = (of: string) => stringOf(parts.find((one) => one.of === of)?.change.after)
  if (list === 'hours') {
    const days = after('days') ?? shown?.hours[index]?.days
    if (days) return daysText(days)
  } else {
    const day = list === 'yearly' ? shown?.yearly[index] : shown?.specialDays[index]
    const name = after('name') ?? day?.name
    if (name) return name
  }
  return fill(fields.entry, { setting: settingText(entry).title, number: index + 1 })
}

const namesOfParts: Readonly<Record<string, string>> = {
  days: words.days,
  date: words.date,
  month: words.month,
  day: words.day,
  name: words.name,
  from: words.breakFrom,
  to: words.breakTo,
}

/** A value of a part: the times and days in the language of the page. */
function valueText(of: string, value: unknown): string {
  if (Array.isArray(value)) return value.map((one: unknown) => valueText(of, one)).join(', ') || text.nothing
  if (typeof value === 'object' && value !== null && 'from' in value && 'to' in value)
    return fill(text.span, { from: valueText('from', value.from), to: valueText('to', value.to) })
  if (typeof value === 'number') return String(value)
  if (typeof value !== 'string' || value === '') return text.nothing
  if (of === 'days') return daysText(value)
  return of === 'date' ? dateText(value) : timeText(value)
}

function partSentence({ change: { key, before, after }, of }: Part, name: string): string {
  const last = namesOf(key).at(-1) ?? of
  const [value, was] = [valueText(last, after), valueText(last, before)]
  if (of === 'close') return fill(text.closesAt, { days: name, value, before: was })
  if (of === 'open') return fill(text.opensAt, { days: name, value, before: was })
  const what = namesOfParts[last] ?? (of.startsWith('breaks') ? words.break : words.name)
  return fill(text.changed, {
    setting: fill(fields.inLanguage, { setting: name, language: what }),
    value,
    before: was,
  })
}
