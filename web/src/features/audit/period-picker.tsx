import { DatePicker } from 'antd'
import dayjs, { type Dayjs } from 'dayjs'
import { messages } from '@/staff-messages'
import { Field } from '@/ui/field'
import { Choices } from './choices'
import { shownDay } from './days'
import { presets, type Period, type Preset } from './period'
import './period-picker.css'

const text = messages.audit.figures

type Props = {
  period: Period & { preset: Preset | null }
  today: string
  onPreset: (days: Preset) => void
  onDays: (period: Period) => void
}

const written = (day: Dayjs) => day.format('YYYY-MM-DD')

/** Chooses today, the last 7, 30 or 90 days, or the days from a first to a last day. */
export function PeriodPicker({ period, today, onPreset, onDays }: Props) {
  const choose = (change: Partial<Period>) => {
    const { start, end } = { ...period, ...change }
    // If the chosen date would put start and end in the wrong order, both become the chosen day.
    onDays(start <= end ? { start, end } : { start: change.start ?? end, end: change.end ?? start })
  }
  const isLater = (day: Dayjs) => written(day) > today
  return (
    <div className="period">
      <Choices
        label={text.period}
        options={presets.map((key) => ({ key, name: text.presets[key] }))}
        chosen={period.preset}
        onChoose={onPreset}
      />
      {(['start', 'end'] as const).map((edge) => (
        <Field key={edge} label={text[edge]} htmlFor={`period-${edge}`}>
          <DatePicker
            id={`period-${edge}`}
            allowClear={false}
            format={shownDay}
            disabledDate={isLater}
            value={dayjs(period[edge])}
            onChange={(day: Dayjs | null) => day && choose({ [edge]: written(day) })}
          />
        </Field>
      ))}
    </div>
  )
}
