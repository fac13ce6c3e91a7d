import { useQuery } from '@tanstack/react-query'
import { Form, Input, Select, type FormInstance } from 'antd'
import { useEffect } from 'react'
import type { SlotState } from '@/api/types'
import { slotsQuery } from '@/features/appointments/day/queries'
import { messages } from '@/staff-messages'
import { useOfficeTime } from '@/ui/office-time'
import { searchByWord } from '@/ui/select-search'

const text = messages.day

type Props = {
  // Fields of several dialogs, whose values differ.
  form: FormInstance
  /** Whether the first free slot is chosen until the user chooses another. */
  proposes: boolean
}

/** The day and the time. A time that cannot be taken is disabled, with the reason. */
export function SlotFields({ form, proposes }: Props) {
  const time = useOfficeTime()
  const date = (Form.useWatch('date', form) as string | undefined) ?? ''
  const { data } = useQuery({ ...slotsQuery(date), enabled: date !== '' })
  const [day] = data?.days ?? []
  const nextFree = data?.nextFree
  useEffect(() => {
    if (!proposes || !nextFree || form.isFieldTouched('time')) return
    if (form.isFieldTouched('date') && nextFree.date !== date) form.setFieldValue('time', undefined)
    else form.setFieldsValue({ date: nextFree.date, time: nextFree.time })
  }, [form, proposes, nextFree, date])
  const reasonOf = (state: SlotState) => (state === 'free' ? undefined : text.slots[state])
  return (
    <div className="slot-fields">
      <Form.Item name="date" label={text.fields.date} rules={[{ required: true, message: text.fields.date }]}>
        <Input type="date" min={time.today()} />
      </Form.Item>
      <Form.Item name="time" label={text.fields.time} rules={[{ required: true, message: text.chooseTime }]}>
        <Select
          showSearch={searchByWord}
          notFoundContent={text.noTime}
          options={(day?.slots ?? []).map(({ time: value, state }) => {
            const reason = reasonOf(state)
            const at = time.timeOf(value)
            return { value, label: reason ? `${at}, ${reason}` : at, disabled: reason !== undefined }
          })}
        />
      </Form.Item>
    </div>
  )
}

/** The consultant whom the client asks for. */
export function ConsultantField({ consultants }: { consultants: readonly { id: string; name: string }[] }) {
  return (
    <Form.Item name="consultant_id" label={text.fields.consultant}>
      <Select
        allowClear
        showSearch={searchByWord}
        options={consultants.map(({ id, name }) => ({ value: id, label: name }))}
      />
    </Form.Item>
  )
}
