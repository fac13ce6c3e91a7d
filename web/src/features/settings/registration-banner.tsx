import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Button } from 'antd'
import { useEffect } from 'react'
import { messages } from '@/attention-messages'
import { useOffice } from '@/features/office/use-office'
import { inBackground } from '@/in-background'
import { messages as publicMessages } from '@/messages'
import type { Settings } from './data/document'
import { isStale, saveSection, withdrawUndo } from './data/mutations'
import { settingsQuery } from './data/queries'
import { inFile } from './in-file'
import './registration-banner.css'

const text = messages.people

/**
 * Says that registration is open, as long as it is, with the button that requires approval. It stays mounted after
 * that, to withdraw the undo when another admin changes the section.
 */
export function RegistrationBanner() {
  const office = useOffice()
  const { data: settings, isError, isFetching, refetch } = useQuery(settingsQuery)
  const approval = useRequireApproval()
  useEffect(() => {
    if (settings) withdrawUndo(settings)
  }, [settings])
  const { registration } = (settings?.sections.access.value ?? office).features
  if (registration !== 'open') return null
  if (settings?.mode === 'file')
    return (
      <div className="registration-banner">
        <p>
          {text.open} {inFile}
        </p>
      </div>
    )
  return (
    <div className="registration-banner">
      <p>{text.open}</p>
      {isError && !settings ? (
        <Button loading={isFetching} onClick={() => inBackground(refetch())}>
          {publicMessages.request.tryAgain}
        </Button>
      ) : (
        <Button
          disabled={!settings}
          loading={approval.isPending}
          onClick={() => settings && approval.require(settings)}
        >
          {text.requireApproval}
        </Button>
      )}
    </div>
  )
}

/** Requires approval, and leaves the other settings of the section as they are. */
function useRequireApproval() {
  const client = useQueryClient()
  const { mutate, isPending } = useMutation(saveSection)
  const require = ({ sections: { access } }: Settings) => {
    const { features } = access.value
    if (features.registration !== 'open') return
    const value = { features: { ...features, registration: 'approval' as const } }
    mutate(
      { section: 'access', value, version: access.version },
      {
        // Another admin has changed the section. It has been read again, so the change is based on that.
        onError: (error) => {
          const now = client.getQueryData(settingsQuery.queryKey)
          if (isStale(error) && now && now.sections.access.version > access.version) require(now)
        },
      },
    )
  }
  return { require, isPending }
}
