import { useMutation } from '@tanstack/react-query'
import { DatePicker, Form, Input, InputNumber, Radio, Select } from 'antd'
import dayjs, { type Dayjs } from 'dayjs'
import { messages } from '@/admin-messages'
import type { SaveDueDate } from '@/api/types'
import { FormDialog } from '@/ui/form-dialog'
import { useOfficeTime } from '@/ui/office-time'
import { months } from './entries'
import { saveDueDate, type Entry } from './mutations'

const text = messages.dueDates

const shownDay = 'D MMM YYYY'
const longestTitle = 120
const longestSource = 300

type Values = {
  title: string
  group: SaveDueDate['group']
  repeats: boolean
  months?: number[]
  day?: number
  date?: Dayjs
  movedFrom?: Dayjs | null
  movedTo?: Dayjs | null
  source: string
  checkedOn: Dayjs
}

const groups = Object.entries(text.groups).map(([value, label]) => ({ value, label }))
const dayOf = (day: Dayjs) => day.format('YYYY-MM-DD')

function valuesOf(entry: Entry | null, today: string): Partial<Values> {
  if (!entry) return { group: 'other', repeats: false, checkedOn: dayjs(today) }
  const { title, group, rule, once, moved, source } = entry
  return {
    title,
    group,
    source,
    repeats: rule !== null,
    ...(rule ?? {}),
    ...(once === null ? {} : { date: dayjs(once) }),
    ...(moved ? { movedFrom: dayjs(moved.from), movedTo: dayjs(moved.to) } : {}),
    checkedOn: dayjs(today),
  }
}

function bodyFrom(values: Values): SaveDueDate {
  const { title, group, source, repeats, date, day = 0, movedFrom, movedTo, checkedOn } = values
  const when = repeats ? { rule: { months: values.months ?? [], day } } : { date: date ? dayOf(date) : '' }
  const moved = movedFrom && movedTo ? { from: dayOf(movedFrom), to: dayOf(movedTo) } : null
  return { title, group, source, moved, checkedOn: dayOf(checkedOn), ...when }
}

export function DueDateDialog({ entry, onClose }: { entry: Entry | null; onClose: () => void }) {
  const [form] = Form.useForm<Values>()
  const today = useOfficeTime().today()
  const save = useMutation(saveDueDate)
  return (
    <FormDialog<Values>
      name="due-date"
      title={entry ? text.editTitle : text.add}
      submit={text.save}
      form={form}
      values={valuesOf(entry, today)}
      pending={save.isPending}
      onSubmit={(values) => save.mutate({ entry, body: bodyFrom(values) }, { onSuccess: onClose })}
      onClose={onClose}
    >
      <What />
      <When />
      <Moved />
      <Form.Item
        name="source"
        label={text.sourceField}
        rules={[{ required: true, whitespace: true, message: text.sourceRequired }]}
      >
        <Input.TextArea rows={2} maxLength={longestSource} />
      </Form.Item>
      <Form.Item name="checkedOn" label={text.checkedField}>
        <DatePicker allowClear={false} format={shownDay} disabledDate={(one: Dayjs) => dayOf(one) > today} />
      </Form.Item>
    </FormDialog>
  )
}

function What() {
  return (
    <>
      <Form.Item
        name="title"
        label={text.titleField}
        rules={[{ required: true, whitespace: true, message: text.titleRequired }]}
      >
        <Input maxLength={longestTitle} autoFocus />
      </Form.Item>
      <Form.Item name="group" label={text.group}>
        <Select options={groups} />
      </Form.Item>
      <Form.Item name="repeats" label={text.repeats}>
        <Radio.Group
          options={[
            { value: true, label: text.yearly },
            { value: false, label: text.once },
          ]}
        />
      </Form.Item>
    </>
  )
}

/** The fields for when an entry is due: months and a day if it repeats, otherwise a date. */
function When() {
  const repeats = Form.useWatch<boolean | undefined>('repeats')
  if (!repeats) {
    return (
      <Form.Item name="date" label={text.date} rules={[{ required: true, message: text.dateRequired }]}>
        <DatePicker format={shownDay} />
      </Form.Item>
    )
  }
  return (
    <>
      <Form.Item name="months" label={text.months} rules={[{ required: true, message: text.monthsRequired }]}>
        <Select mode="multiple" options={months} showSearch={{ optionFilterProp: 'label' }} />
      </Form.Item>
      <Form.Item
        name="day"
        label={text.day}
        extra={text.dayHint}
        rules={[{ required: true, message: text.dayRequired }]}
      >
        <InputNumber controls={false} min={1} max={31} precision={0} />
      </Form.Item>
    </>
  )
}

function Moved() {
  return (
    <div className="due-moved">
      <Form.Item name="movedFrom" label={text.moved}>
        <DatePicker format={shownDay} />
      </Form.Item>
      <Form.Item name="movedTo" label={text.movedTo}>
        <DatePicker format={shownDay} />
      </Form.Item>
    </div>
  )
}
