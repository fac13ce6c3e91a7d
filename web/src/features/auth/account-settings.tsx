import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Button, Checkbox, Form, Input, Modal, Segmented, Select, type ModalProps } from 'antd'
import { Suspense } from 'react'
import { chunk } from '@/chunk'
import { sessionStore } from '@/api/session-store'
import { useFormDraft } from '@/drafts'
import { typedAddress } from '@/email-address'
import { loadOffline } from '@/live/offline-port'
import type { Language } from '@/locales/languages'
import { fill, locale } from '@/messages'
import { messages } from '@/staff-messages'
import { useThemeMode, type ThemePreference } from '@/theme/theme-mode'
import { LanguageName } from '@/ui/language-menu'
import { recheck } from '@/ui/recheck'
import { useToast } from '@/ui/toasts'
import { changeEmail, changeLanguage, changePassword, sessionsQuery, type PasswordChange } from './account'
import { CheckedField, PasswordField } from './fields'
import { useUser } from './gate'
import { emailRules } from './rules'
import { sessionQuery } from './session'
import { Sessions } from './sessions'
import './account-settings.css'

const text = messages.settings

// The form that pairs a desk is loaded when the dialog is first opened.
const PairDesk = chunk(async () => (await loadOffline()).PairDesk)

type Props = {
  open: boolean
  /** The languages that the office offers. */
  languages: readonly Language[]
  onClose: () => void
} & Pick<ModalProps, 'focusable'>

/** The user's settings (language, theme, e-mail, password, sessions), and the pairing of the desk. */
export function AccountSettings({ open, languages, onClose, ...modal }: Props) {
  return (
    <Modal
      open={open}
      destroyOnHidden
      title={text.title}
      footer={null}
      width={520}
      onCancel={onClose}
      {...modal}
    >
      <div className="settings">
        <LanguageChoice offered={languages} />
        <ThemeChoice />
        <EmailForm />
        <PasswordForm />
        <Sessions />
        <Suspense fallback={null}>
          <PairDesk />
        </Suspense>
      </div>
    </Modal>
  )
}

/** A change loads the page again; unsent input is kept as drafts. */
function LanguageChoice({ offered }: { offered: readonly Language[] }) {
  const change = useMutation(changeLanguage)
  if (offered.length < 2) return null
  return (
    <section>
      <h3 id="settings-language">{messages.language.title}</h3>
      <Select<Language>
        aria-labelledby="settings-language"
        className="settings-language"
        value={locale}
        disabled={change.isPending}
        options={offered.map((name) => ({ value: name, label: <LanguageName name={name} /> }))}
        onChange={(language) => change.mutate(language)}
      />
    </section>
  )
}

const themes = (['light', 'dark', 'system'] as const).map((value) => ({ value, label: text.themes[value] }))

function ThemeChoice() {
  const { preference, choose } = useThemeMode()
  return (
    <section>
      <h3>{text.theme}</h3>
      <Segmented<ThemePreference>
        aria-label={text.theme}
        options={themes}
        value={preference}
        onChange={choose}
      />
    </section>
  )
}

function EmailForm() {
  const user = useUser()
  const toast = useToast()
  const [form] = Form.useForm<{ email: string; password: string }>()
  const kept = useFormDraft<{ email: string }>('new-email')
  const change = useMutation({
    ...changeEmail,
    onSuccess: (_answer, { newEmail }) => {
      toast.info(fill(text.emailChanging, { email: newEmail }))
      kept.forget()
      form.setFieldsValue({ email: '', password: '' })
    },
  })
  return (
    <section>
      <h3>{text.email}</h3>
      <p>{user.email}</p>
      <Form
        name="change-email"
        form={form}
        layout="vertical"
        requiredMark={false}
        initialValues={kept.values()}
        onValuesChange={(changed: { email?: string; password?: string }, { email }) => {
          recheck(form)(changed)
          if (changed.email !== undefined) kept.keep({ email: changed.email }, { email })
        }}
        onFinish={({ email, password }) => change.mutate({ newEmail: email, password })}
      >
        <CheckedField name="email" label={text.newEmail} rules={emailRules} normalize={typedAddress}>
          <Input type="text" inputMode="email" autoComplete="email" />
        </CheckedField>
        <PasswordField name="password" label={text.emailPassword} autoComplete="current-password" />
        <Button htmlType="submit" disabled={change.isPending}>
          {text.changeEmail}
        </Button>
      </Form>
    </section>
  )
}

function PasswordForm() {
  const queryClient = useQueryClient()
  const [form] = Form.useForm<PasswordChange>()
  const change = useMutation({
    ...changePassword,
    onSuccess: async (_answer, { revokeOtherSessions }) => {
      form.resetFields()
      if (!revokeOtherSessions) return
      // The stored token was revoked with the other sessions; the cookie of this response carries the new session.
      sessionStore.clear()
      await queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey })
      await queryClient.invalidateQueries({ queryKey: sessionsQuery.queryKey })
    },
  })
  return (
    <section>
      <h3>{text.password}</h3>
      <Form<PasswordChange>
        name="change-password"
        form={form}
        layout="vertical"
        requiredMark={false}
        initialValues={{ revokeOtherSessions: true }}
        onValuesChange={recheck(form)}
        onFinish={(values) => change.mutate(values)}
      >
        <PasswordField name="currentPassword" label={text.currentPassword} autoComplete="current-password" />
        <PasswordField name="newPassword" label={text.newPassword} autoComplete="new-password" />
        <Form.Item name="revokeOtherSessions" valuePropName="checked">
          <Checkbox>{text.endOthers}</Checkbox>
        </Form.Item>
        <Button htmlType="submit" disabled={change.isPending}>
          {text.changePassword}
        </Button>
      </Form>
    </section>
  )
}
