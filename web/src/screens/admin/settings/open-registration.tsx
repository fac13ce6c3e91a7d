import { Suspense, useState } from 'react'
import { chunk } from '@/chunk'
import { useOffice } from '@/features/office/use-office'
import { withSettingsTexts } from './settings-texts'

const RegistrationBanner = chunk(
  async () =>
    (await withSettingsTexts(() => import('@/features/settings/registration-banner'))).RegistrationBanner,
)

/** The banner of an office in which anyone can register. It is loaded when registration is first open. */
export function OpenRegistration() {
  const { registration } = useOffice().features
  const [needed, setNeeded] = useState(false)
  if (registration === 'open' && !needed) setNeeded(true)
  if (!needed) return null
  return (
    <Suspense fallback={null}>
      <RegistrationBanner known={registration} />
    </Suspense>
  )
}
