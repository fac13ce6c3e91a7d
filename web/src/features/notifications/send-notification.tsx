import { useMutation } from '@tanstack/react-query'
import { Form, Input, Modal, Segmented, Select } from 'antd'
import { useState } from 'react'
import { newIdempotencyKey } from '@/api/idempotency-key'
import type { NotificationType, Role } from '@/api/types'
import { useDraft } from '@/drafts'
import { messages } from '@/staff-messages'
import { sendNotification } from './queries'
import './notifications.css'

type Fields = { message: string; type: NotificationType; roles: Role[] }

const text = messages.notifications
const longest = 500
const blank: Fields = { message: '', type: 'info', roles: [] }
const kinds = (['info', 'success', 'warning', 'error'] as const).map((value) => ({
  value,
  label: text.kinds[value],
}))
const roles = (['reception', 'pa', 'consultant', 'admin'] as const).map((value) => ({
  value,
  label: messages.auth.roles[value],
}))

export function SendNotification({ onClose }: { onClose: () => void }) {
  const [open, setOpen] = useState(true)
  const [form] = Form.useForm<Fields>()
  const draft = useDraft('notification')
  const send = useMutation(sendNotification)

  const submit = ({ message, type, roles }: Fields) =>
    send.mutate(
      {
        notification: {
          message: message.trim(),
          type,
          // No target roles means all roles.
          ...(roles.length > 0 ? { target_roles: roles } : {}),
        },
        key: newIdempotencyKey(),
      },
      {
        onSuccess: () => {
          draft.forget()
          form.setFieldsValue(blank)
          setOpen(false)
        },
      },
    )

  return (
    <Modal
      open={open}
      title={text.send}
      okText={text.send}
      confirmLoading={send.isPending}
      onOk={form.submit}
      onCancel={() => setOpen(false)}
      afterClose={onClose}
    >
      <Form<Fields>
        name="notification"
        form={form}
        layout="vertical"
        requiredMark={false}
        initialValues={{ ...blank, message: draft.text() }}
        onValuesChange={(_changed, { message }) => draft.keep(message)}
        onFinish={submit}
      >
        <NotificationFields />
      </Form>
    </Modal>
  )
}

function NotificationFields() {
  return (
    <>
      <Form.Item
        name="message"
        className="notification-message"
        label={text.message}
        rules={[{ required: true, whitespace: true, message: text.messageRequired }]}
      >
        <Input.TextArea rows={3} maxLength={longest} showCount />
      </Form.Item>
      <Form.Item name="type" label={text.kind}>
        <Segmented<NotificationType> aria-label={text.kind} options={kinds} />
      </Form.Item>
      <Form.Item name="roles" label={text.to}>
        <Select<Role[]> mode="multiple" options={roles} placeholder={text.everyone} />
      </Form.Item>
    </>
  )
}
