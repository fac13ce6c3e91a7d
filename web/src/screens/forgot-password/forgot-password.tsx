import { Link } from 'react-router'
import { ForgotPasswordForm } from '@/features/auth/forgot-password-form'
import { useOffice } from '@/features/office/use-office'
import { messages } from '@/messages'
import { SplitPage } from '@/ui/split-page'

export function ForgotPassword() {
  const text = messages.forgotPassword
  return (
    <SplitPage office={useOffice()} title={text.title} subtitle={text.subtitle}>
      <ForgotPasswordForm />
      <p className="split-other">
        <Link className="text-link" to="/login">
          {text.toSignIn}
        </Link>
      </p>
    </SplitPage>
  )
}
