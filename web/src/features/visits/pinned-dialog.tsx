import { useQueryClient } from '@tanstack/react-query'
import { Form, Radio } from 'antd'
import { useState } from 'react'
import { newIdempotencyKey } from '@/api/idempotency-key'
import type { Desk } from '@/api/types'
import { fill, messages, plural } from '@/messages'
import { actOnVisit, type Intent, type Known } from './act'
import { ConsultantField } from './consultant-field'
import { FormDialog } from './form-dialog'

const text = messages.life.desk.pinned

/** A visitor who waits for one consultant alone. */
export type Pinned = Known

type Values = { where: 'line' | 'other' | 'stay'; consultant?: string }
type Props = {
  desk: Pick<Desk, 'consultantId' | 'name'>
  pinned: readonly Pinned[]
  /** A consultant transfers the own visitors; PA and admin change the pin. */
  own: boolean
  /** The visitors have been sent, or stay. */
  onDone: () => void
  onClose: () => void
}

/** Asks where the visitors of a consultant go who leaves the desk. */
export function PinnedDialog({ desk, pinned, own, onDone, onClose }: Props) {
  const [form] = Form.useForm<Values>()
  const client = useQueryClient()
  const [pending, setPending] = useState(false)
  const other = Form.useWatch('where', form) === 'other'

  const send = async ({ where, consultant }: Values) => {
    setPending(true)
    const to = where === 'other' ? (consultant ?? null) : null
    const intent: Intent = own
      ? { action: 'transfer', body: { consultant_id: to } }
      : { action: 'pin', body: { consultant_id: to } }
    try {
      // In sequence: the order in the line stays that of the registrations.
      for (const visit of where === 'stay' ? [] : pinned) {
        await client
          .getMutationCache()
          .build(client, actOnVisit)
          .execute({ visit, intent, key: newIdempotencyKey() })
      }
      onDone()
    } catch {
      // The toast has the reason; the desk stays as it is.
    }
    onClose()
  }

  return (
    <FormDialog<Values>
      name="pinned"
      title={fill(text.title, { name: desk.name })}
      submit={text.go}
      form={form}
      values={{ where: 'line' }}
      pending={pending}
      onSubmit={(values) => void send(values)}
      onClose={onClose}
    >
      <p className="form-dialog-hint">
        {fill(plural(text, pinned.length), {
          count: pinned.length,
          tokens: pinned.map(({ token }) => token).join(', '),
        })}
      </p>
      <Form.Item name="where" aria-label={text.title}>
        <Radio.Group
          options={(['line', 'other', 'stay'] as const).map((value) => ({ value, label: text[value] }))}
        />
      </Form.Item>
      {other ? (
        <ConsultantField label={text.consultant} required={text.required} except={desk.consultantId} />
      ) : null}
    </FormDialog>
  )
}
