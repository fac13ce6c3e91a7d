import { useMutation } from '@tanstack/react-query'
import { Button, Form } from 'antd'
import { useNavigate } from 'react-router'
import { inBackground } from '@/in-background'
import { messages } from '@/messages'
import { recheck } from '@/ui/recheck'
import { useToast } from '@/ui/toasts'
import { resetPassword } from './by-mail'
import { PasswordField } from './fields'

const text = messages.resetPassword

type Props = {
  token: string
  /** Called when the link has expired. */
  onEnded: () => void
}

/** Sets a new password with the token of a mailed link, then opens the sign-in screen. */
export function ResetPasswordForm({ token, onEnded }: Props) {
  const toast = useToast()
  const navigate = useNavigate()
  const [form] = Form.useForm<{ newPassword: string }>()
  const reset = useMutation({
    ...resetPassword,
    onSuccess: (set) => {
      if (set) {
        toast.success(text.done)
        inBackground(navigate('/login', { replace: true }))
      } else onEnded()
    },
  })

  return (
    <Form<{ newPassword: string }>
      form={form}
      layout="vertical"
      requiredMark={false}
      scrollToFirstError={{ focus: true }}
      onValuesChange={recheck(form)}
      onFinish={({ newPassword }) => reset.mutate({ newPassword, token })}
    >
      <PasswordField
        name="newPassword"
        label={text.password}
        size="large"
        autoComplete="new-password"
        autoFocus
      />
      <Button type="primary" size="large" block htmlType="submit" disabled={reset.isPending}>
        {reset.isPending ? messages.auth.busy : text.submit}
      </Button>
    </Form>
  )
}
