import { useState } from 'react'
import { useOffice } from '@/features/office/use-office'
import { Breach } from '@/features/privacy/breach'
import { Person } from '@/features/privacy/person'
import type { PrivacyRequest } from '@/features/privacy/queries'
import { Register } from '@/features/privacy/register'
import { LastNight, Notices, Uses } from '@/features/privacy/reports'
import '@/features/privacy/privacy.css'

/** The office's duties under the law: requests, a person's data, notices, retention, accesses, a breach. */
export function PrivacyPage() {
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
