import { useMutation } from '@tanstack/react-query'
import { Button, Form, Input } from 'antd'
import { useCallback } from 'react'
import { typedAddress } from '@/email-address'
import { useCarriedInput } from '@/language'
import { fill, messages } from '@/messages'
import { recheck } from '@/ui/recheck'
import { requestPasswordReset } from './by-mail'
import { CheckedField } from './fields'
import { emailRules } from './rules'

/** Requests a reset link. The response does not disclose whether the address has an account. */
export function ForgotPasswordForm() {
  const text = messages.forgotPassword
  const request = useMutation(requestPasswordReset)
  const [form] = Form.useForm<{ email: string }>()
  const initial = useCarriedInput(
    'forgot-password',
    useCallback(() => ({ email: form.getFieldValue('email') as string }), [form]),
  )

  if (request.isSuccess) return <p role="status">{fill(text.sent, { email: request.variables })}</p>
  return (
    <Form<{ email: string }>
      form={form}
      initialValues={initial}
      layout="vertical"
      requiredMark={false}
      noValidate
      scrollToFirstError={{ focus: true }}
      onValuesChange={recheck(form)}
      onFinish={({ email }) => request.mutate(email)}
    >
      <CheckedField name="email" label={messages.auth.email} rules={emailRules} normalize={typedAddress}>
        <Input
          size="large"
          type="email"
          autoComplete="email"
          placeholder={messages.auth.emailPlaceholder}
          autoFocus
        />
      </CheckedField>
      <Button type="primary" size="large" block htmlType="submit" disabled={request.isPending}>
        {request.isPending ? messages.auth.busy : text.submit}
      </Button>
    </Form>
  )
}
