import { Input, InputNumber, Select } from 'antd'
import { useState } from 'react'
import type { HoursValue, SpecialDay, YearlyDay } from '@/features/settings/data/document'
import { without, type Pointer } from '@/features/settings/data/pointer'
import { useList, useSectionForm } from '@/features/settings/fields/form'
import { AddButton, RemoveButton } from '@/features/settings/fields/lists'
import { FieldError, SettingGroup, useFieldError } from '@/features/settings/fields/setting'
import { TextsIn, withTextIn } from '@/features/settings/fields/translations'
import { HolidaysDialog } from '@/features/settings/hours/holidays-dialog'
import { DayTimes } from '@/features/settings/hours/day-times'
import { byDate, given } from '@/features/settings/hours/holidays'
import { withDays, withEntry } from '@/features/settings/hours/week'
import { dayMonthText, monthNames, weekdayNames } from '@/features/settings/hours/words'
import { fill } from '@/messages'
import { weekdaysOf } from '@/opening-on'
import { messages } from '@/settings-messages'

const { hours: text, fields } = messages.officeSettings

const longestName = 80

export function HoursForm() {
  return (
    <>
      <Week />
      <Yearly />
      <SpecialDays />
    </>
  )
}

/** The hours of the week: an entry for all days with the same hours. */
function Week() {
  const { value, readOnly, change } = useSectionForm()
  const fieldError = useFieldError()
  const whole = value as HoursValue
  const set = (hours: HoursValue['hours']) => change({ ...whole, hours })
  return (
    <SettingGroup at="/hours">
      {whole.hours.map((entry, index) => {
        const name = fill(fields.entry, { setting: text.week, number: index + 1 })
        const days = fieldError(`/hours/${index}/days`)
        return (
          <div key={index} className="setting-entry" role="group" aria-label={name}>
            <span className="setting-row">
              <Select<number[]>
                mode="multiple"
                aria-label={fill(fields.inLanguage, { setting: name, language: text.days })}
                className="setting-days"
                {...days.control}
                disabled={readOnly}
                options={weekdayNames.map((label, day) => ({ value: day, label }))}
                showSearch={{ optionFilterProp: 'label' }}
                value={weekdaysOf(entry.days)}
                onChange={(chosen) => set(withDays(whole.hours, index, chosen))}
              />
              {readOnly || whole.hours.length === 1 ? null : (
                <RemoveButton what={name} onRemove={() => set(whole.hours.toSpliced(index, 1))} />
              )}
            </span>
            <FieldError {...days.shown} />
            <DayTimes
              at={`/hours/${index}`}
              name={name}
              times={entry}
              onChange={(times) => set(whole.hours.with(index, times))}
            />
          </div>
        )
      })}
      {readOnly ? null : <AddButton label={text.addEntry} onAdd={() => set(withEntry(whole.hours))} />}
    </SettingGroup>
  )
}

const months = monthNames.map((label, month) => ({ value: month + 1, label }))

function Yearly() {
  const { entries, readOnly, set, remove } = useList<YearlyDay>('/yearly')
  const { value, change } = useSectionForm()
  const fieldError = useFieldError()
  const [choosing, setChoosing] = useState(false)
  const edit = (index: number, next: YearlyDay) => set(entries.with(index, next))
  return (
    <SettingGroup at="/yearly">
      {entries.length === 0 ? <p>{text.noYearly}</p> : null}
      {entries.map((day, index) => {
        const name = `${dayMonthText(day)} ${day.name}`
        const label = (part: string) => fill(fields.inLanguage, { setting: name, language: part })
        const errorOf = (part: 'day' | 'month' | 'name') => fieldError(`/yearly/${index}/${part}`)
        return (
          <div key={index} className="setting-entry">
            <span className="setting-row">
              <InputNumber
                aria-label={label(text.day)}
                {...errorOf('day').control}
                className="setting-short"
                controls={false}
                min={1}
                max={31}
                precision={0}
                disabled={readOnly}
                value={day.day}
                onChange={(chosen) => edit(index, { ...day, day: chosen ?? day.day })}
              />
              <Select
                aria-label={label(text.month)}
                {...errorOf('month').control}
                disabled={readOnly}
                options={months}
                value={day.month}
                onChange={(month) => edit(index, { ...day, month })}
              />
              <Input
                aria-label={label(text.name)}
                {...errorOf('name').control}
                disabled={readOnly}
                maxLength={longestName}
                value={day.name}
                onChange={({ target }) => edit(index, { ...day, name: target.value })}
              />
              {readOnly ? null : <RemoveButton what={name} onRemove={() => remove(index)} />}
            </span>
            <FieldError {...errorOf('day').shown} />
            <FieldError {...errorOf('month').shown} />
            <FieldError {...errorOf('name').shown} />
            <DayNames at={`/yearly/${index}`} day={day} onChange={(next) => edit(index, next)} />
          </div>
        )
      })}
      {readOnly ? null : (
        <span className="setting-row">
          <AddButton label={text.addHoliday} onAdd={() => setChoosing(true)} />
          <AddButton
            label={text.addYearly}
            onAdd={() => set(byDate([...entries, { month: 1, day: 1, name: '' }]))}
          />
        </span>
      )}
      {choosing ? (
        <HolidaysDialog value={value as HoursValue} onChange={change} onClose={() => setChoosing(false)} />
      ) : null}
    </SettingGroup>
  )
}

/** Single days, closed or with hours of their own. A movable holiday of the list comes here without its date. */
function SpecialDays() {
  const { entries, readOnly, set, add, remove } = useList<SpecialDay>('/specialDays')
  const fieldError = useFieldError()
  const edit = (index: number, next: SpecialDay) => set(entries.with(index, next))
  return (
    <SettingGroup at="/specialDays">
      {entries.length === 0 ? <p>{text.noSpecial}</p> : null}
      {entries.map((day, index) => {
        const name = day.name || day.date || fill(fields.entry, { setting: text.special, number: index + 1 })
        const label = (part: string) => fill(fields.inLanguage, { setting: name, language: part })
        const errorOf = (part: 'date' | 'name') => fieldError(`/specialDays/${index}/${part}`)
        return (
          <div key={index} className="setting-entry" role="group" aria-label={name}>
            <span className="setting-row">
              <Input
                type="date"
                className="setting-short"
                aria-label={label(text.date)}
                {...errorOf('date').control}
                disabled={readOnly}
                value={day.date}
                onChange={({ target }) => edit(index, { ...day, date: target.value })}
              />
              <Input
                aria-label={label(text.name)}
                {...errorOf('name').control}
                disabled={readOnly}
                maxLength={longestName}
                value={day.name}
                onChange={({ target }) => edit(index, { ...day, name: target.value })}
              />
              {readOnly ? null : <RemoveButton what={name} onRemove={() => remove(index)} />}
            </span>
            {day.date === '' ? <p className="setting-hint">{text.movable}</p> : null}
            <FieldError {...errorOf('date').shown} />
            <FieldError {...errorOf('name').shown} />
            <DayTimes
              at={`/specialDays/${index}`}
              name={name}
              times={day}
              onChange={(times) => edit(index, times)}
            />
            <DayNames at={`/specialDays/${index}`} day={day} onChange={(next) => edit(index, next)} />
          </div>
        )
      })}
      {readOnly ? null : (
        <AddButton label={text.addDay} onAdd={() => add({ date: '', name: '', open: null, close: null })} />
      )}
    </SettingGroup>
  )
}

type Named = Pick<YearlyDay, 'name' | 'texts'>

type NamesProps<Day extends Named> = { at: Pointer; day: Day; onChange: (day: Day) => void }

/** The name of a day in the other languages. */
function DayNames<Day extends Named>({ at, day, onChange }: NamesProps<Day>) {
  return (
    <TextsIn
      name={day.name || text.name}
      at={(language) => `${at}/texts/${language}`}
      most={longestName}
      textIn={(language) => day.texts?.[language] ?? ''}
      onChange={(language, changed) =>
        onChange({ ...without(day, 'texts'), ...given(withTextIn(day.texts, language, changed)) } as Day)
      }
    />
  )
}
