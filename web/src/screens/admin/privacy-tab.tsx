import { useState } from 'react'
import { SignInAgain, type SignInAgainProps } from '@/features/auth/sign-in-again'
import { useOffice } from '@/features/office/use-office'
import { Breach } from '@/features/privacy/breach'
import { SignInAgainContext } from '@/features/privacy/fresh'
import { Person } from '@/features/privacy/person'
import type { PrivacyRequest } from '@/features/privacy/queries'
import { Register } from '@/features/privacy/register'
import { LastNight, Notices, Uses } from '@/features/privacy/reports'
import '@/features/privacy/privacy.css'

const ask = (props: SignInAgainProps) => <SignInAgain {...props} />

/** What the law asks of the office: requests, a person's data, notices, retention, who read what, a breach. */
export function PrivacyTab() {
  const [request, setRequest] = useState<PrivacyRequest>()
  const { notice } = useOffice()
  return (
    <SignInAgainContext value={ask}>
      <div className="privacy">
        <Register onPerson={setRequest} />
        <Person key={request?.id ?? ''} request={request} onForget={() => setRequest(undefined)} />
        <Uses />
        <Notices notice={notice} />
        <LastNight />
        <Breach />
      </div>
    </SignInAgainContext>
  )
}
