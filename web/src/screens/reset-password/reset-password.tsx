import { Button } from 'antd'
import { useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { ResetPasswordForm } from '@/features/auth/reset-password-form'
import { useOffice } from '@/features/office/use-office'
import { inBackground } from '@/in-background'
import { messages } from '@/messages'
import { SplitPage } from '@/ui/split-page'

/** The target of a mailed reset link. The address has a token, or an error if the link has expired. */
export function ResetPassword() {
  const text = messages.resetPassword
  const office = useOffice()
  const navigate = useNavigate()
  const [query] = useSearchParams()
  const token = query.get('token')
  const [rejected, setRejected] = useState(false)

  if (token && !rejected)
    return (
      <SplitPage office={office} title={text.title} subtitle={text.subtitle}>
        <ResetPasswordForm token={token} onEnded={() => setRejected(true)} />
      </SplitPage>
    )
  return (
    <SplitPage office={office} title={text.ended} subtitle={text.endedText}>
      <Button type="primary" size="large" block onClick={() => inBackground(navigate('/forgot-password'))}>
        {text.another}
      </Button>
    </SplitPage>
  )
}
