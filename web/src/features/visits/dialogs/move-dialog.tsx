import { Form, Input, Select } from 'antd'
import { useState } from 'react'
import { isUnanswered } from '@/api/fault'
import { useAct, wouldBypass } from '@/features/visits/data/act'
import type { VisitRef } from '@/features/visits/data/intent'
import { ActionDialog } from '@/features/visits/parts/action-dialog'
import { fill } from '@/messages'
import { messages } from '@/staff-messages'

const text = messages.life.move
const longestReason = 200

/** The last reason given in this tab, proposed for the next move. */
let usualReason: string = text.usual

type Values = { before?: string; reason: string }
type Props = {
  visit: VisitRef
  /** The visit before which `visit` is moved. If it is undefined, the user chooses it in the dialog. */
  before: VisitRef | undefined
  /** The other visits of the line, in its order. */
  others: readonly VisitRef[]
  onClose: () => void
}

/** Moves a visit, with a reason. A move past a visitor who must be next needs a confirmation. */
export function MoveDialog({ visit, before, others, onClose }: Props) {
  const [form] = Form.useForm<Values>()
  const [warning, setWarning] = useState<string>()
  const { act, pending, error } = useAct()
  const { token } = visit
  const submit = ({ before: chosen, reason }: Values) => {
    usualReason = reason
    const body = { before: before?.id ?? chosen ?? null, reason, ...(warning ? { force: true } : {}) }
    act(
      visit,
      { action: 'move', body },
      {
        onSuccess: onClose,
        onError: (failure) => {
          if (wouldBypass(failure)) setWarning(failure.message)
          else if (!isUnanswered(failure)) onClose()
        },
      },
    )
  }
  return (
    <ActionDialog<Values>
      name="move"
      title={before ? fill(text.title, { token, other: before.token }) : fill(text.titleOpen, { token })}
      submit={warning ? text.force : text.submit}
      form={form}
      values={{ reason: usualReason }}
      pending={pending}
      error={error}
      about={visit.id}
      danger={warning !== undefined}
      onSubmit={submit}
      onClose={onClose}
    >
      {warning ? (
        <p className="action-dialog-warning" role="alert">
          {warning} {text.forceText}
        </p>
      ) : null}
      {before ? null : <BeforeField others={others} />}
      <Form.Item
        name="reason"
        label={text.reason}
        rules={[{ required: true, whitespace: true, message: text.reasonRequired }]}
      >
        <Input
          maxLength={longestReason}
          autoComplete="off"
          autoFocus={before !== undefined}
          onFocus={({ target }) => target.select()}
        />
      </Form.Item>
    </ActionDialog>
  )
}

function BeforeField({ others }: Pick<Props, 'others'>) {
  return (
    <Form.Item name="before" label={text.before} rules={[{ required: true, message: text.beforeRequired }]}>
      <Select
        autoFocus
        showSearch={{ optionFilterProp: 'label' }}
        placeholder={text.chooseBefore}
        options={others.map(({ id, token: label }) => ({ value: id, label }))}
      />
    </Form.Item>
  )
}
