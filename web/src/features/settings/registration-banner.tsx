import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Button } from 'antd'
import { useEffect } from 'react'
import { messages } from '@/attention-messages'
import { inBackground } from '@/in-background'
import type { Settings, Values } from './data/document'
import { isStale, saveSection, withdrawUndo } from './data/mutations'
import { settingsQuery } from './data/queries'
import { inFile } from './in-file'
import './registration-banner.css'

const text = messages.people

type Props = {
  /** Who can register, as the page knows it before the settings are read. */
  known: Values['access']['features']['registration']
}

/**
 * Says that registration is open, as long as it is, with the button that requires approval. It stays mounted after
 * that, to withdraw the undo when another admin changes the section.
 */
export function RegistrationBanner({ known }: Props) {
  const { data: settings, refetch } = useQuery(settingsQuery)
  const approval = useRequireApproval()
  useEffect(() => {
    if (settings) withdrawUndo(settings)
  }, [settings])
  const registration = settings?.sections.access.value.features.registration ?? known
  if (registration !== 'open') return null

  /** A press waits until the settings are read. */
  const press = async () => {
    const read = settings ?? (await refetch({ cancelRefetch: false })).data
    if (read) approval.require(read)
  }
  const readOnly = settings?.mode === 'file'
  return (
    <div className="registration-banner">
      <p>{readOnly ? `${text.open} ${inFile}` : text.open}</p>
      {readOnly ? null : (
        <Button loading={approval.isPending} onClick={() => inBackground(press())}>
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
  const require = ({ mode, sections: { access } }: Settings) => {
    const { features } = access.value
    if (mode === 'file' || features.registration !== 'open') return
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
