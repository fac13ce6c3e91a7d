import { Button, Modal } from 'antd'
import type { Visit } from '@/api/types'
import { useAct } from '@/features/visits/data/act'
import { VisitService } from '@/features/visits/parts/visit-service'
import { fill } from '@/messages'
import { messages } from '@/staff-messages'
import { StageTag } from '@/ui/stage-tag'
import { Token } from '@/ui/token'
import { useReturnFocus } from '@/ui/use-return-focus'
import './duplicates.css'

const text = messages.life.duplicates

/** Cancels a visit that was registered twice. The button of the latest has the focus, so that Enter cancels it. */
export function DuplicatesDialog({ visits, onClose }: { visits: readonly Visit[]; onClose: () => void }) {
  useReturnFocus()
  const { act, pending } = useAct()
  const cancel = (visit: Visit) => act(visit, { action: 'cancel' }, { onSuccess: onClose })
  return (
    <Modal open title={text.title} footer={null} width={520} onCancel={onClose}>
      {visits.length === 0 ? <p>{text.none}</p> : <p className="duplicates-text">{text.text}</p>}
      <ul className="duplicates small-lines">
        {visits.map((visit, index) => (
          <li key={visit.id}>
            <Token small token={visit.token} also={visit.tokenAlso} />
            <div>
              <b>{visit.name}</b>
              <small>
                <VisitService of={visit} />
              </small>
            </div>
            <StageTag status={visit.status} queue={visit.queue} />
            <Button
              danger
              size="small"
              autoFocus={index === 0}
              disabled={pending}
              onClick={() => cancel(visit)}
            >
              {fill(text.cancel, { token: visit.token })}
            </Button>
          </li>
        ))}
      </ul>
    </Modal>
  )
}
