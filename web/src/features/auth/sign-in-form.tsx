import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Button, Form, Input } from 'antd'
import { useCallback } from 'react'
import { useLocation } from 'react-router'
import { sessionStore } from '@/api/session-store'
import { typedAddress } from '@/email-address'
import { isLanguage, keepLanguage, useCarriedInput } from '@/language'
import { messages } from '@/messages'
import { recheck } from '@/ui/recheck'
import { leaveFlash, useToast } from '@/ui/toasts'
import { CheckedField, PasswordField } from './fields'
import { loadAnew } from '@/load-anew'
import { messageOf } from './message-of'
import { emailRules } from './rules'
import { sessionQuery } from './session'
import { signIn } from './sign-in'

type Fields = { email: string; password: string }

/** The state that the page of registration stores in the history entry: the address of the new account. */
export type SignInState = { email?: string }

const text = messages.auth

/** E-mail and password. On success the dashboard is opened with a full page load that replaces the history entry. */
export function SignInForm() {
  const toast = useToast()
  const [form] = Form.useForm<Fields>()
  const initial = useCarriedInput(
    'sign-in',
    useCallback(() => ({ email: form.getFieldValue('email') as string }), [form]),
  )
  const { state } = useLocation() as { state: SignInState | null }
  const registered = state?.email
  const queryClient = useQueryClient()
  const attempt = useMutation({
    ...signIn,
    onSuccess: async () => {
      await keepSession()
      const language = sessionStore.user()?.language
      if (isLanguage(language)) keepLanguage(language)
      toast.success(text.signedIn)
      leaveFlash(text.signedIn)
      loadAnew('/dashboard')
    },
    onError: (raised) => {
      console.error(raised)
      toast.error(messageOf(raised) || text.unknownSignInError)
    },
  })

  // A failure to read the session here is not a failed sign-in, because the next page reads it again.
  const keepSession = () => queryClient.query({ ...sessionQuery, staleTime: 0 }).catch(() => undefined)

  return (
    <Form<Fields>
      form={form}
      initialValues={{ ...(registered ? { email: registered } : {}), ...initial }}
      layout="vertical"
      requiredMark={false}
      noValidate
      scrollToFirstError={{ focus: true }}
      onValuesChange={recheck(form)}
      onFinish={(fields) => attempt.mutate(fields)}
    >
      <CheckedField name="email" label={text.email} rules={emailRules} normalize={typedAddress}>
        <Input
          size="large"
          type="email"
          autoComplete="email"
          placeholder={text.emailPlaceholder}
          autoFocus={!registered}
        />
      </CheckedField>
      <PasswordField
        name="password"
        label={text.password}
        size="large"
        autoComplete="current-password"
        placeholder={text.passwordPlaceholder}
        autoFocus={Boolean(registered)}
      />
      <Button type="primary" size="large" block htmlType="submit" disabled={attempt.isPending}>
        {attempt.isPending ? text.busy : text.signIn}
      </Button>
    </Form>
  )
}
