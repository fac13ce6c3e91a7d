import { Form, Radio } from 'antd'
import type { Desk } from '@/api/types'
import type { Intent } from '@/features/visits/data/intent'
import type { Pinned } from '@/features/visits/data/left-behind'
import { useActOnAll } from '@/features/visits/data/use-act-on-all'
import { inBackground } from '@/in-background'
import { fill, plural } from '@/messages'
import { messages } from '@/staff-messages'
import { ConsultantField } from './consultant-field'
import { ActionDialog } from './action-dialog'

const text = messages.life.desk.pinned

type Values = { where: 'line' | 'other' | 'stay'; consultant?: string }
type Props = {
  desk: Pick<Desk, 'consultantId' | 'name'>
  pinned: readonly Pinned[]
  /** Whether the user is the consultant. A consultant transfers visitors; others change the pin of those who wait. */
  own: boolean
  /**
   * Whether the account is being deactivated or gets another role. Then `pinned` has the visitors that `leftBehind`
   * returns.
   */
  leaving?: boolean
  /** Called when the visitors have been moved, or stay. */
  onDone: () => void
  onClose: () => void
}

/** Moves the visitors of a consultant who leaves the desk. */
export function PinnedDialog({ desk, pinned, own, leaving = false, onDone, onClose }: Props) {
  const [form] = Form.useForm<Values>()
  const { sendAll, pending } = useActOnAll()
  const { title, ask } = leaving ? messages.life.desk.leaving : text
  const other = Form.useWatch('where', form) === 'other'

  const send = async ({ where, consultant }: Values) => {
    const to = where === 'other' ? (consultant ?? null) : null
    const body = { consultant_id: to }
    const intentOf = ({ stage = 'waiting' }: Pinned): Intent =>
      own || stage !== 'waiting' ? { action: 'transfer', body } : { action: 'pin', body }
    // If one of the visitors could not be moved, the desk does not change.
    if (await sendAll(where === 'stay' ? [] : pinned, intentOf)) onDone()
    onClose()
  }

  return (
    <ActionDialog<Values>
      name="pinned"
      title={fill(title, { name: desk.name })}
      submit={text.go}
      form={form}
      values={{ where: 'line' }}
      pending={pending}
      onSubmit={(values) => inBackground(send(values))}
      onClose={onClose}
    >
      <p className="action-dialog-hint">
        {fill(plural(ask, pinned.length), {
          count: pinned.length,
          tokens: pinned.map(({ token }) => token).join(', '),
        })}
      </p>
      <Form.Item name="where" aria-label={fill(title, { name: desk.name })}>
        <Radio.Group
          options={(['line', 'other', 'stay'] as const).map((value) => ({ value, label: text[value] }))}
        />
      </Form.Item>
      {other ? (
        <ConsultantField label={text.consultant} required={text.required} except={desk.consultantId} />
      ) : null}
    </ActionDialog>
  )
}
