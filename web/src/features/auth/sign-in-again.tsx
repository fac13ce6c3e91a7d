import { mutationOptions, useMutation } from '@tanstack/react-query'
import { Form, Input } from 'antd'
import { messages } from '@/admin-messages'
import { sessionStore } from '@/api/session-store'
import { fill } from '@/messages'
import { FormDialog } from '@/ui/form-dialog'
import { authClient, errorOf } from './auth-client'
import { useUser } from './gate'

const text = messages.privacy.fresh

/**
 * Signs the same person in again. The new session replaces the present one at once, so that waiting calls are repeated
 * with it.
 */
const signInAgain = mutationOptions({
  mutationKey: ['auth', 'sign-in-again'],
  mutationFn: async (form: { email: string; password: string }) => {
    const body = { ...form, rememberMe: true }
    const { data, error } = await authClient.call<{ token: string }>('/sign-in/email', { body })
    if (error) throw errorOf(error, text.title)
    const user = sessionStore.user()
    if (user) sessionStore.save(data.token, user)
  },
})

type Props = { onDone: () => void; onClose: () => void }

/** Asks the signed-in person for the password, for calls that need a session that has just begun. */
export function SignInAgain({ onDone, onClose }: Props) {
  const { email } = useUser()
  const [form] = Form.useForm<{ password: string }>()
  const { mutate, isPending, error } = useMutation(signInAgain)
  return (
    <FormDialog<{ password: string }>
      name="sign-in-again"
      title={text.title}
      submit={text.signIn}
      form={form}
      pending={isPending}
      onSubmit={({ password }) => mutate({ email, password }, { onSuccess: onDone })}
      onClose={onClose}
    >
      <p>{fill(text.text, { email })}</p>
      <input type="email" name="email" value={email} autoComplete="username" readOnly hidden />
      <Form.Item
        name="password"
        label={text.password}
        rules={[{ required: true, message: text.title }]}
        {...(error && { validateStatus: 'error', help: error.message })}
      >
        <Input.Password autoComplete="current-password" autoFocus />
      </Form.Item>
      {/* Without a submit button, Enter does nothing in a form with two fields. */}
      <button type="submit" hidden />
    </FormDialog>
  )
}
