import { Input, Switch } from 'antd'
import type { Pointer } from '@/features/settings/data/pointer'
import { useSectionForm } from '@/features/settings/fields/form'
import { AddButton, RemoveButton } from '@/features/settings/fields/lists'
import { FieldError, useFieldError } from '@/features/settings/fields/setting'
import { fill } from '@/messages'
import { messages } from '@/settings-messages'
import { fieldTime, writtenTime } from './clock'
import { nextBreak, withBreaks, withOpen, type Times } from './week'

const { hours: text, fields } = messages.officeSettings

type Props<T extends Times> = {
  /** The pointer of the day, for its errors. */
  at: Pointer
  /** Which day it is, for the names of the fields. */
  name: string
  times: T
  onChange: (times: T) => void
}

/** Whether the office is open on a day, from when to when, and its breaks. */
export function DayTimes<T extends Times>({ at, name, times, onChange }: Props<T>) {
  const { readOnly } = useSectionForm()
  const fieldError = useFieldError()
  const { open, close, breaks = [] } = times
  const isOpen = open !== null && close !== null
  const label = (part: string) => fill(fields.inLanguage, { setting: name, language: part })
  const field = (of: string, part: string, value: string, set: (time: string) => void) => (
    <TimeField at={`${at}/${of}`} label={label(part)} value={value} onChange={set} />
  )
  const setBreak = (index: number, part: 'from' | 'to', time: string) =>
    onChange({
      ...times,
      breaks: breaks.map((one, other) => (other === index ? { ...one, [part]: time } : one)),
    })
  return (
    <div className="day-times">
      <label className="setting-line">
        <Switch
          disabled={readOnly}
          checked={isOpen}
          aria-label={label(text.open)}
          onChange={(on) => onChange(withOpen(times, on) as T)}
        />
        <span aria-hidden="true">{isOpen ? text.open : text.closed}</span>
      </label>
      {isOpen ? (
        <>
          <span className="setting-line">
            {field('open', text.from, open, (time) => onChange({ ...times, open: time }))}
            <span aria-hidden="true">{text.to}</span>
            {field('close', text.to, close, (time) => onChange({ ...times, close: time }))}
          </span>
          {breaks.map((pause, index) => (
            <span key={index} className="setting-line">
              <span aria-hidden="true">{text.break}</span>
              {field(`breaks/${index}/from`, text.breakFrom, pause.from, (time) =>
                setBreak(index, 'from', time),
              )}
              <span aria-hidden="true">{text.to}</span>
              {field(`breaks/${index}/to`, text.breakTo, pause.to, (time) => setBreak(index, 'to', time))}
              {readOnly ? null : (
                <RemoveButton
                  what={label(text.break)}
                  onRemove={() => onChange(withBreaks(times, breaks.toSpliced(index, 1)) as T)}
                />
              )}
            </span>
          ))}
          {readOnly ? null : (
            <AddButton
              label={text.addBreak}
              onAdd={() => onChange(withBreaks(times, [...breaks, nextBreak(breaks)]) as T)}
            />
          )}
        </>
      ) : null}
      <FieldError {...fieldError(at).shown} />
    </div>
  )
}

type FieldProps = {
  at: Pointer
  label: string
  /** A time as the document has it. */
  value: string
  onChange: (time: string) => void
}

function TimeField({ at, label, value, onChange }: FieldProps) {
  const { readOnly } = useSectionForm()
  const { control, shown } = useFieldError()(at)
  return (
    <span>
      <Input
        type="time"
        aria-label={label}
        {...control}
        disabled={readOnly}
        value={fieldTime(value)}
        onChange={({ target }) => onChange(writtenTime(target.value))}
      />
      <FieldError {...shown} />
    </span>
  )
}
