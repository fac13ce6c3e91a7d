import { useQuery } from '@tanstack/react-query'
import { servicesQuery } from '@/features/directory/queries'
import { useOffice } from '@/features/office/use-office'
import type { ScreenAct } from '@/features/visits/attention/acts'
import type { Listed } from '@/features/visits/attention/needs'
import { NoDialog } from '@/features/visits/attention/no-dialog'
import { NumberDialog } from '@/features/visits/attention/number-dialog'
import { subjectOf, type Subject } from '@/features/visits/data/actions'
import { VisitDialog } from '@/features/visits/dialogs/visit-dialog'
import { useOfficeTime } from '@/ui/office-time'

type Props = { act: Exclude<ScreenAct, 'show'>; need: Listed; onClose: () => void }

export function AttentionDialog({ act, need, onClose }: Props) {
  const { consultant } = need
  if (act !== 'number') return <ActionOf act={act} need={need} onClose={onClose} />
  return consultant ? <NumberDialog of={consultant.id} onClose={onClose} /> : <NoDialog onClose={onClose} />
}

type ActionProps = Omit<Props, 'act'> & { act: 'papers' | 'call' }

function ActionOf({ act, need, onClose }: ActionProps) {
  const { timeZone, brand, languages = [] } = useOffice()
  const today = useOfficeTime().today()
  const { data: services, isError } = useQuery(servicesQuery)
  const subject = subjectFor(need, today)
  if (!subject || (!services && isError)) return <NoDialog onClose={onClose} />
  if (!services) return null
  return (
    <VisitDialog
      subject={subject}
      action={act}
      services={services}
      timeZone={timeZone}
      office={{ brand, languages }}
      line={[]}
      onClose={onClose}
    />
  )
}

/** The visit of an entry. A visit that today's list lacks is from an earlier day. */
function subjectFor({ known, visit }: Listed, today: string): Subject | undefined {
  if (known || !visit) return known && subjectOf(known, today)
  const { id, token, name, version, stage } = visit
  return {
    id,
    token,
    name,
    version,
    stage,
    class: 'normal',
    pinned: false,
    undoable: false,
    today: false,
    visit: undefined,
  }
}
