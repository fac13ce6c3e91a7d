import { DatePicker } from 'antd'
import type { Dayjs } from 'dayjs'
import { Field } from '@/ui/field'
import { shownDay } from './days'

type Props = { id: string; label: string; value: Dayjs | null; onChange: (day: Dayjs | null) => void }

export function DayField({ id, label, value, onChange }: Props) {
  return (
    <Field label={label} htmlFor={id}>
      <DatePicker id={id} format={shownDay} placeholder={label} value={value} onChange={onChange} />
    </Field>
  )
}
