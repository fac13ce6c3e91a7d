import { useMutation } from '@tanstack/react-query'
import { Form } from 'antd'
import { showRejectedFields } from '@/api/rejected-fields'
import type { StaffAppointment } from '@/api/types'
import { moveAppointment } from '@/features/appointments/day/mutations'
import type { Work } from '@/features/appointments/day/work'
import { fill } from '@/messages'
import { messages } from '@/staff-messages'
import { FormDialog } from '@/ui/form-dialog'
import { useOfficeTime } from '@/ui/office-time'
import { Sends } from './sends'
import { ConsultantField, SlotFields } from './slot-fields'
import './book.css'

type Move = { date: string; time: string; consultant_id?: string }

type Props = { appointment: StaffAppointment; work: Work; onClose: () => void }

/** Moves an appointment to another time, or to another consultant. */
export function MoveDialog({ appointment, work, onClose }: Props) {
  const { name, email, preferredDate, consultant } = appointment
  const [form] = Form.useForm<Move>()
  const move = useMutation(moveAppointment)
  const today = useOfficeTime().today()
  const submit = ({ date, time, consultant_id = '' }: Move) =>
    move.mutate(
      { appointment, date, time, consultant_id },
      { onSuccess: onClose, onError: (error) => showRejectedFields(form, error) },
    )
  return (
    <FormDialog<Move>
      name="move-appointment"
      title={fill(messages.day.moveOf, { name })}
      submit={messages.day.move}
      form={form}
      values={{
        date: preferredDate < today ? today : preferredDate,
        ...(consultant ? { consultant_id: consultant.id } : {}),
      }}
      pending={move.isPending}
      className="book-form"
      onSubmit={submit}
      onClose={onClose}
    >
      <SlotFields form={form} proposes />
      <ConsultantField consultants={work.consultants} />
      <Sends mail={email !== ''} texts={appointment.messages} />
      <button type="submit" hidden />
    </FormDialog>
  )
}
