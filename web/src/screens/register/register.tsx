import { Link } from 'react-router'
import { RegisterForm } from '@/features/auth/register-form'
import { useOffice } from '@/features/office/use-office'
import { messages } from '@/messages'
import { SplitPage } from '@/ui/split-page'

export function Register() {
  const text = messages.register
  const office = useOffice()
  const closed = office.features.registration === 'closed'
  return (
    <SplitPage office={office} title={text.title} subtitle={text.subtitle}>
      {closed ? <p role="status">{messages.problems.codes.registration_closed}</p> : null}
      <RegisterForm closed={closed} />
      <p className="split-other">
        <Link className="text-link" to="/login">
          {text.toSignIn}
        </Link>
      </p>
    </SplitPage>
  )
}
