import { useMutation } from '@tanstack/react-query'
import { Button, Form, Input, Select } from 'antd'
import { useCallback } from 'react'
import { useNavigate } from 'react-router'
import { Fault } from '@/api/fault'
import { showRejectedFields } from '@/api/rejected-fields'
import { typedAddress } from '@/email-address'
import { inBackground } from '@/in-background'
import { useCarriedInput } from '@/language'
import { messages } from '@/messages'
import { useToast } from '@/ui/toasts'
import { messageOf } from './message-of'
import { register, type Registration } from './register'
import { selfRoles } from './roles'
import type { SignInState } from './sign-in-form'

const text = messages.auth
const roles = selfRoles.map((value) => ({ value, label: text.roles[value] }))

/**
 * Registers a staff account. The browser's `required` is the only rule here; the server validates the rest. While
 * registration is closed, the form is disabled.
 */
export function RegisterForm({ closed }: { closed: boolean }) {
  const toast = useToast()
  const navigate = useNavigate()
  const [form] = Form.useForm<Registration>()
  const initial = useCarriedInput(
    'register',
    useCallback(() => form.getFieldsValue(['name', 'email', 'role']) as Partial<Registration>, [form]),
  )
  const attempt = useMutation({
    ...register,
    onSuccess: ({ listed }, { email }) => {
      if (!listed) toast.error(text.accountFailed)
      toast.success(text.registered)
      inBackground(navigate('/login', { state: { email } satisfies SignInState }))
    },
    onError: (raised) => {
      const message = messageOf(raised) || text.unknownRegisterError
      toast.error(message, { key: message })
      showRejectedFields(form, raised)
      if (raised instanceof Fault && raised.status === 401) inBackground(navigate('/login'))
    },
  })

  return (
    <Form<Registration>
      form={form}
      layout="vertical"
      requiredMark={false}
      disabled={closed}
      initialValues={{ role: 'reception', ...initial }}
      onFinish={(fields) => attempt.mutate(fields)}
    >
      <Form.Item name="name" label={text.name}>
        <Input size="large" autoComplete="name" required autoFocus />
      </Form.Item>
      <Form.Item name="email" label={text.email} normalize={typedAddress}>
        <Input size="large" inputMode="email" autoComplete="email" required />
      </Form.Item>
      <Form.Item name="password" label={text.password} extra={text.passwordHint}>
        <Input.Password size="large" autoComplete="new-password" required />
      </Form.Item>
      <Form.Item name="role" label={text.role}>
        <Select size="large" options={roles} />
      </Form.Item>
      <Button type="primary" size="large" block htmlType="submit" disabled={closed || attempt.isPending}>
        {attempt.isPending ? text.busy : messages.register.submit}
      </Button>
    </Form>
  )
}
