import { useMutation, useQuery } from '@tanstack/react-query'
import { Form, Input } from 'antd'
import type { Desk } from '@/api/types'
import { changeDesk } from '@/features/visits/data/desk'
import { desksQuery } from '@/features/visits/data/queries'
import { longestCounter } from '@/features/visits/data/rules'
import { ActionDialog } from '@/features/visits/parts/action-dialog'
import { deskTitle } from '@/features/visits/parts/desk-switch'
import { messages } from '@/staff-messages'
import { NoDialog } from './no-dialog'

const text = messages.life.desk

type Values = { counter: string }

export function NumberDialog({ of, onClose }: { of: string; onClose: () => void }) {
  const { data: desks, isPending } = useQuery(desksQuery)
  const desk = desks?.find(({ consultantId }) => consultantId === of)
  if (desk) return <NumberOf desk={desk} onClose={onClose} />
  return isPending ? null : <NoDialog onClose={onClose} />
}

function NumberOf({ desk, onClose }: { desk: Desk; onClose: () => void }) {
  const [form] = Form.useForm<Values>()
  const { mutate, isPending, error } = useMutation(changeDesk)
  const { consultantId: id, state, defaultCounter } = desk
  return (
    <ActionDialog<Values>
      name="number"
      title={deskTitle(desk)}
      submit={text.saveNumber}
      form={form}
      values={{ counter: defaultCounter ?? '' }}
      pending={isPending}
      error={error}
      onSubmit={({ counter }) =>
        mutate({ id, change: { state, counter: counter.trim() } }, { onSuccess: onClose })
      }
      onClose={onClose}
    >
      <Form.Item
        name="counter"
        label={text.counter}
        rules={[{ required: true, whitespace: true, message: text.numberRequired }]}
      >
        <Input autoFocus maxLength={longestCounter} autoComplete="off" />
      </Form.Item>
    </ActionDialog>
  )
}
