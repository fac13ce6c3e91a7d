import { Link } from 'react-router'
import { RegisterForm } from '@/features/auth/register-form'
import { useOffice } from '@/features/office/use-office'
import { messages } from '@/messages'
import { SplitPage } from '@/ui/split-page'

export function Register() {
  const text = messages.register
  return (
    <SplitPage office={useOffice()} title={text.title} subtitle={text.subtitle}>
      <RegisterForm />
      <p className="split-other">
        <Link className="text-link" to="/login">
          {text.toSignIn}
        </Link>
      </p>
    </SplitPage>
  )
}
