import { useMutation } from '@tanstack/react-query'
import { Form } from 'antd'
import type { KeyboardEvent } from 'react'
import { showRejectedFields } from '@/api/rejected-fields'
import { useIntentionKey } from '@/api/use-intention-key'
import { bookAppointment } from '@/features/appointments/day/mutations'
import type { Work } from '@/features/appointments/day/work'
import { inBackground } from '@/in-background'
import { messages } from '@/staff-messages'
import { FormDialog } from '@/ui/form-dialog'
import { useOfficeTime } from '@/ui/office-time'
import { PersonFields, type Person } from './person-fields'
import { FormSends } from './sends'
import { ConsultantField, SlotFields } from './slot-fields'
import './book.css'

type Booking = Person & { date: string; time: string; consultant_id?: string }

type Props = { day: string; work: Work; onClose: () => void }

/** Books an appointment, for example during a phone call. The first free time is proposed. */
export function BookDialog({ day, work, onClose }: Props) {
  const [form] = Form.useForm<Booking>()
  const book = useMutation(bookAppointment)
  const { keyFor } = useIntentionKey()
  const today = useOfficeTime().today()

  /** A name that was typed meanwhile stays. */
  const recall = async (phone: string) => {
    if (phone.length !== 10 || form.getFieldValue('name')) return
    const name = await work.nameOf(phone)
    if (name && !form.getFieldValue('name') && form.getFieldValue('phone') === phone)
      form.setFieldValue('name', name)
  }
  const submit = (typed: Booking) => {
    const booking = { ...typed, tell: true }
    book.mutate(
      { booking, key: keyFor(booking) },
      { onSuccess: onClose, onError: (error) => showRejectedFields(form, error) },
    )
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    form.submit()
  }
  return (
    <FormDialog<Booking>
      name="book-appointment"
      title={messages.day.book}
      submit={messages.day.bookIt}
      form={form}
      values={{ date: day < today ? today : day }}
      pending={book.isPending}
      className="book-form"
      onSubmit={submit}
      onClose={onClose}
    >
      <div onKeyDown={onKeyDown}>
        <PersonFields work={work} onPhone={(phone) => inBackground(recall(phone))}>
          <SlotFields form={form} proposes />
          <ConsultantField consultants={work.consultants} />
        </PersonFields>
        <FormSends form={form} />
        <button type="submit" hidden />
      </div>
    </FormDialog>
  )
}
