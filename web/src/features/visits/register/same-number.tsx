import { useQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import type { ReactNode } from 'react'
import type { Stage, Visit } from '@/api/types'
import { useAct } from '@/features/visits/data/act'
import { lineQuery } from '@/features/visits/data/queries'
import { tokenText } from '@/features/visits/data/token-word'
import { fill } from '@/messages'
import { messages } from '@/staff-messages'
import { ActionMenu } from '@/ui/action-menu'
import { Filled } from '@/ui/filled'
import { Icon } from '@/ui/icon'
import { Kbd } from '@/ui/shortcuts'
import './same-number.css'

export { AwaitedVisitor } from './awaited-visitor'

const text = messages.life.duplicates

type Props = {
  /** Today's visits with the typed number, latest first. */
  visits: readonly Visit[]
  mayCancel: (visit: Visit) => boolean
  onShow: (visit: Visit) => void
  onPrint: (visit: Visit) => void
  onAnother: () => void
}

/** Shown for a number that has a token today: the same visitor may be asking again, or another person has come. */
export function SameNumber({ visits, mayCancel, onShow, onPrint, onAnother }: Props) {
  const line = useQuery(lineQuery)
  const { act, pending } = useAct()
  const placeOf = ({ id }: Visit) => line.data?.line.find(({ visitId }) => visitId === id)?.position
  return (
    <ul className="same-number">
      {visits.map((visit) => {
        const { id, token } = visit
        return (
          <li key={id}>
            <span>{sentenceOf(visit, placeOf(visit))}</span>
            <Button size="small" aria-label={fill(text.showOf, { token })} onClick={() => onShow(visit)}>
              {text.show}
            </Button>
            <Button size="small" aria-label={fill(text.printOf, { token })} onClick={() => onPrint(visit)}>
              {text.print}
            </Button>
            {mayCancel(visit) ? (
              <ActionMenu
                menu={{
                  items: [{ key: id, danger: true, label: cancelLabel(token) }],
                  onClick: () => act(visit, { action: 'cancel' }),
                }}
              >
                <Button
                  size="small"
                  type="text"
                  disabled={pending}
                  icon={<Icon name="more" size={18} />}
                  aria-label={fill(text.moreOf, { token })}
                  aria-haspopup="menu"
                  aria-keyshortcuts="Control+Delete"
                />
              </ActionMenu>
            ) : null}
          </li>
        )
      })}
      <li>
        <Button size="small" onClick={onAnother}>
          {text.another}
        </Button>
      </li>
    </ul>
  )
}

const cancelLabel = (token: string) => (
  <>
    {fill(text.cancel, { token })} <Kbd>{text.key}</Kbd>
  </>
)

const hasSentence = (stage: Stage): stage is keyof typeof text.stages => Object.hasOwn(text.stages, stage)

function sentenceOf(visit: Visit, place: number | undefined): ReactNode {
  const { name, queue } = visit
  const token = tokenText(visit)
  if (queue.stage === 'waiting' && place) {
    // The sentence is announced once, not with each change of the line.
    const quiet = <span aria-live="off">{place}</span>
    return <Filled message={text.inLine} values={{ token, name, place: quiet }} />
  }
  return fill(hasSentence(queue.stage) ? text.stages[queue.stage] : text.over, { token, name })
}
