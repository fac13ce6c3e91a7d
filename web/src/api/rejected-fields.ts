import type { FormInstance } from 'antd'
import { Fault } from './fault'

/** Shows the errors of an API response at the form's items, which are named like the request's fields. */
export function showRejectedFields(form: FormInstance, error: Error) {
  const messages = error instanceof Fault ? error.fields : {}
  form.setFields(
    Object.entries(messages).map(([field, message]) => ({
      name: field === 'service_id' ? 'serviceId' : field,
      errors: [message],
    })),
  )
}
