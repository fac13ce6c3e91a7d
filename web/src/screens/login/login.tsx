import { Button } from 'antd'
import { Link, useNavigate } from 'react-router'
import { SignInForm } from '@/features/auth/sign-in-form'
import { useOffice } from '@/features/office/use-office'
import { messages } from '@/messages'
import { SplitPage } from '@/ui/split-page'

export function Login() {
  const navigate = useNavigate()
  const text = messages.signIn
  return (
    <SplitPage office={useOffice()} title={text.title} subtitle={text.subtitle}>
      <SignInForm />
      <p className="split-other">
        <Button type="link" onClick={() => void navigate('/register')}>
          {text.toRegister}
        </Button>
      </p>
      <p className="split-other">
        <Link className="text-link" to="/forgot-password">
          {text.toForgotPassword}
        </Link>
      </p>
    </SplitPage>
  )
}
