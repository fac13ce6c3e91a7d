import type { ActionContext, Dialog } from '@/features/visits/data/action-context'
import type { VisitRef } from '@/features/visits/data/intent'
import { ChooseDialog } from './choose-dialog'
import { ConsentsDialog } from './consents-dialog'
import { CorrectDialog } from './correct-dialog'
import { forgetDialog } from '@/features/visits/parts/action-dialog'
import { HoldDialog } from './hold-dialog'
import { LinkDialog } from './link-dialog'
import { MoveDialog } from './move-dialog'
import { PapersDialog } from './papers-dialog'
import { TransferDialog } from './transfer-dialog'

type DialogProps = Dialog &
  Pick<ActionContext, 'services' | 'timeZone' | 'office'> & { line: readonly VisitRef[]; onClose: () => void }

export function VisitDialog(props: DialogProps) {
  const { subject, action, before, services, timeZone, office, line } = props
  const onClose = () => {
    forgetDialog(action, subject.id)
    props.onClose()
  }
  const { visit } = subject
  switch (action) {
    case 'hold':
      return <HoldDialog visit={subject} timeZone={timeZone} onClose={onClose} />
    case 'transfer': {
      const from = visit?.assignedConsultantId ?? undefined
      return <TransferDialog visit={subject} from={from} services={services} onClose={onClose} />
    }
    case 'correct':
      return visit ? <CorrectDialog visit={visit} services={services} onClose={onClose} /> : null
    case 'link':
      return <LinkDialog visit={subject} onClose={onClose} />
    case 'papers':
      return <PapersDialog subject={subject} services={services} office={office} onClose={onClose} />
    case 'consents':
      return <ConsentsDialog subject={subject} onClose={onClose} />
    case 'move': {
      const others = line.filter(({ id }) => id !== subject.id)
      return <MoveDialog visit={subject} before={before} others={others} onClose={onClose} />
    }
    case 'pin':
    case 'call':
      return <ChooseDialog visit={subject} to={action} onClose={onClose} />
  }
}
