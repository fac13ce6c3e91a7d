import { Button, Modal } from 'antd'
import type { Visit } from '@/api/types'
import { fill, messages, plural } from '@/messages'
import { Kbd } from '@/ui/shortcuts'
import { StageTag } from '@/ui/status-tag'
import { Token } from '@/ui/token'
import { useReturnFocus } from '@/ui/use-return-focus'
import { useAct } from './act'
import { serviceName } from './visit'
import './duplicates.css'

const text = messages.life.duplicates

/** The visits of today with the typed phone number that are not over, and the button that cancels one. */
export function DuplicatesNote({ visits, onOpen }: { visits: readonly Visit[]; onOpen: () => void }) {
  if (visits.length === 0) return null
  const tokens = visits.map(({ token }) => token).join(', ')
  return (
    <>
      <p>{fill(plural(text.note, visits.length), { tokens })}</p>
      <Button size="small" aria-keyshortcuts="Control+Delete" onClick={onOpen}>
        {text.open} <Kbd>{text.key}</Kbd>
      </Button>
    </>
  )
}

/** Cancels a visit that was registered twice: the first one has the focus, so that Enter cancels it. */
export function DuplicatesDialog({ visits, onClose }: { visits: readonly Visit[]; onClose: () => void }) {
  useReturnFocus()
  const { act, pending } = useAct()
  const cancel = (visit: Visit) => act(visit, { action: 'cancel' }, { onSuccess: onClose })
  return (
    <Modal open title={text.title} footer={null} width={520} onCancel={onClose}>
      {visits.length === 0 ? <p>{text.none}</p> : <p className="duplicates-text">{text.text}</p>}
      <ul className="duplicates">
        {visits.map((visit, index) => (
          <li key={visit.id}>
            <Token small token={visit.token} />
            <div>
              <b>{visit.name}</b>
              <small>{serviceName(visit)}</small>
            </div>
            <StageTag status={visit.status} stage={visit.queue.stage} />
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

/** The visits that reception may cancel as registered by mistake, latest first. */
export const duplicatesOf = (today: readonly Visit[], phone: string): readonly Visit[] =>
  today.filter((visit) => visit.phone === phone && cancellable.includes(visit.queue.stage)).toReversed()

const cancellable = ['new', 'waiting', 'held', 'missed']
