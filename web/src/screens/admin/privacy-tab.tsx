import { useState } from 'react'
import { useOffice } from '@/features/office/use-office'
import { Breach } from '@/features/privacy/breach'
import { Person } from '@/features/privacy/person'
import type { PrivacyRequest } from '@/features/privacy/queries'
import { Register } from '@/features/privacy/register'
import { LastNight, Notices, Uses } from '@/features/privacy/reports'
import '@/features/privacy/privacy.css'

/** What the law asks of the office: requests, a person's data, notices, retention, who read what, a breach. */
export function PrivacyTab() {
  const [request, setRequest] = useState<PrivacyRequest>()
  const { notice } = useOffice()
  return (
    <div className="privacy">
      <Register onPerson={setRequest} />
      <Person key={request?.id ?? ''} request={request} onForget={() => setRequest(undefined)} />
      <Uses />
      <Notices notice={notice} />
      <LastNight />
      <Breach />
    </div>
  )
}
