import { useMutation } from '@tanstack/react-query'
import { Form } from 'antd'
import { showRejectedFields } from '@/api/rejected-fields'
import type { StaffAppointment } from '@/api/types'
import { saveDetails } from '@/features/appointments/day/mutations'
import type { Work } from '@/features/appointments/day/work'
import { messages } from '@/staff-messages'
import { FormDialog } from '@/ui/form-dialog'
import { PersonFields, type Person } from './person-fields'
import './book.css'

type Props = { appointment: StaffAppointment; work: Work; onClose: () => void }

/** Corrects the details of an appointment. Its time is changed by a move. */
export function DetailsDialog({ appointment, work, onClose }: Props) {
  const { name, phone, email, message, language, serviceId } = appointment
  const [form] = Form.useForm<Person>()
  const save = useMutation(saveDetails)
  return (
    <FormDialog<Person>
      name="appointment-details"
      title={messages.day.correct}
      submit={messages.day.save}
      form={form}
      values={{
        name,
        phone,
        email,
        message,
        messages: appointment.messages,
        ...(language ? { language } : {}),
        ...(serviceId ? { service_id: serviceId } : {}),
      }}
      pending={save.isPending}
      className="book-form"
      onSubmit={(typed) =>
        save.mutate(
          { appointment, ...typed },
          { onSuccess: onClose, onError: (error) => showRejectedFields(form, error) },
        )
      }
      onClose={onClose}
    >
      <PersonFields work={work} />
      <button type="submit" hidden />
    </FormDialog>
  )
}
