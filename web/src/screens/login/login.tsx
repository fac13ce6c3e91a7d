import { Button } from 'antd'
import { Link, useLocation, useNavigate } from 'react-router'
import { SignInForm } from '@/features/auth/sign-in-form'
import { useOffice } from '@/features/office/use-office'
import { inBackground } from '@/in-background'
import { messages } from '@/messages'
import { SplitPage } from '@/ui/split-page'
import { Visiting } from './visiting'

export function Login() {
  const navigate = useNavigate()
  const text = messages.signIn
  const office = useOffice()
  const { state } = useLocation() as { state: { visiting?: boolean } | null }
  return (
    <SplitPage
      office={office}
      title={text.title}
      subtitle={text.subtitle}
      before={state?.visiting ? <Visiting office={office} /> : null}
    >
      <SignInForm />
      <p className="split-other">
        <Button type="link" onClick={() => inBackground(navigate('/register'))}>
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
