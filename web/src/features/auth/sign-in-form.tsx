import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Button, Form, Input } from 'antd'
import { messages } from '@/messages'
import { recheck } from '@/ui/recheck'
import { leaveFlash, useToast } from '@/ui/toasts'
import { loadAnew } from './load-anew'
import { messageOf } from './message-of'
import { emailRules, passwordRules } from './rules'
import { sessionQuery } from './session'
import { signIn } from './sign-in'

type Fields = { email: string; password: string }

const text = messages.auth

/** E-mail and password. On success the dashboard is opened with a full page load that replaces the history entry. */
export function SignInForm() {
  const toast = useToast()
  const [form] = Form.useForm<Fields>()
  const queryClient = useQueryClient()
  const attempt = useMutation({
    ...signIn,
    onSuccess: async () => {
      await keepSession()
      toast.success(text.signedIn)
      leaveFlash(text.signedIn)
      loadAnew('/dashboard')
    },
    onError: (raised) => {
      console.error(raised)
      toast.error(messageOf(raised) || text.unknownSignInError)
    },
  })

  // The next page reads the session again: a failure to read it now is not a failed sign-in.
  const keepSession = () => queryClient.query({ ...sessionQuery, staleTime: 0 }).catch(() => undefined)

  return (
    <Form<Fields>
      form={form}
      layout="vertical"
      requiredMark={false}
      noValidate
      scrollToFirstError={{ focus: true }}
      onValuesChange={recheck(form)}
      onFinish={(fields) => attempt.mutate(fields)}
    >
      <Form.Item name="email" label={text.email} rules={emailRules} validateTrigger="onSubmit" validateFirst>
        <Input size="large" type="email" autoComplete="email" placeholder={text.emailPlaceholder} autoFocus />
      </Form.Item>
      <Form.Item
        name="password"
        label={text.password}
        rules={passwordRules}
        validateTrigger="onSubmit"
        validateFirst
      >
        <Input.Password size="large" autoComplete="current-password" placeholder={text.passwordPlaceholder} />
      </Form.Item>
      <Button type="primary" size="large" block htmlType="submit" disabled={attempt.isPending}>
        {attempt.isPending ? text.busy : text.signIn}
      </Button>
    </Form>
  )
}
