import { useQuery } from '@tanstack/react-query'
import { DeskNumbers } from '@/features/directory/desk-numbers'
import { OfficeSettings } from '@/features/settings/office-settings'
import { ShowChecklist } from '@/features/settings/setup/checklist'
import { setupQuery } from '@/features/settings/setup/query'

/** The office's settings, with the button that shows the checklist of the first day again. */
export function SettingsPage() {
  const setup = useQuery(setupQuery)
  return (
    <OfficeSettings
      deskNumbers={<DeskNumbers />}
      extra={setup.data?.dismissed ? <ShowChecklist /> : undefined}
    />
  )
}
