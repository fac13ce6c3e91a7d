import { useQuery } from '@tanstack/react-query'
import { Button, type MenuProps } from 'antd'
import type { ReactNode } from 'react'
import type { VisitClass } from '@/api/types'
import type { ActionName, Subject } from '@/features/visits/data/actions'
import { lineQuery } from '@/features/visits/data/queries'
import { isUnsent, useOfflineMode } from '@/live/offline-mode'
import { fill } from '@/messages'
import { messages } from '@/staff-messages'
import { ActionMenu } from '@/ui/action-menu'
import { Icon } from '@/ui/icon'
import { minutesAndSeconds } from '@/ui/office-time'
import { useCallWaits } from './call-waits'
import './row-menu.css'

const text = messages.life

/** A choice of the menu. The class `appointment` is no choice, because it follows from the appointment. */
export type Choice =
  { action: Exclude<ActionName, 'prioritise'> } | { action: 'prioritise'; class: GivenClass }
export type GivenClass = Exclude<VisitClass, 'appointment'>

export const givenClasses: readonly GivenClass[] = ['normal', 'deadline', 'priority']

type Props = {
  subject: Subject
  actions: readonly ActionName[]
  /** Whether a call is labelled as a call for a consultant: set if the user is not a consultant. */
  callsForOthers: boolean
  disabled?: boolean
  open?: boolean
  onOpenChange?: (open: boolean) => void
  /** Set to -1 in lists whose rows are chosen with the arrow keys. */
  tabIndex?: number
  onChoose: (choice: Choice) => void
}

export function RowMenu({ subject, actions, callsForOthers, disabled = false, onChoose, ...rest }: Props) {
  const { token } = subject
  const { tabIndex, ...opening } = rest
  const { offline, why } = useOfflineMode()
  const waits = useCallWaits(subject.visit)
  if (actions.length === 0) return null
  // The actions of a visit that is stored only on this desk need no server.
  const cut = offline && !isUnsent(subject.id)
  return (
    <ActionMenu
      placement="bottomRight"
      {...opening}
      menu={{
        className: 'row-menu-items',
        triggerSubMenuAction: 'click',
        items: actions.map((action) => itemOf(action, subject, callsForOthers, waits)),
        onClick: ({ key, domEvent }) => {
          domEvent.stopPropagation()
          onChoose(choiceOf(key))
        },
      }}
    >
      <Button
        className="row-menu"
        size="small"
        type="text"
        disabled={disabled || cut}
        title={cut ? why : undefined}
        icon={<Icon name="more" size={18} />}
        aria-label={fill(text.menuOf, { token })}
        aria-haspopup="menu"
        tabIndex={tabIndex}
      />
    </ActionMenu>
  )
}

type Item = NonNullable<MenuProps['items']>[number]

type Waits = ReturnType<typeof useCallWaits>

function itemOf(action: ActionName, subject: Subject, callsForOthers: boolean, waits: Waits): Item {
  if (action === 'prioritise') return classesOf(subject)
  const seconds = action === 'recall' || action === 'miss' ? waits[action] : 0
  if (seconds > 0) {
    const soon = action === 'recall' ? text.called.recallIn : text.called.missIn
    return { key: action, label: fill(soon, { time: minutesAndSeconds(seconds) }), disabled: true }
  }
  return { key: action, label: labelOf(action, subject, callsForOthers), danger: action === 'cancel' }
}

function labelOf(action: ActionName, { id, today }: Subject, callsForOthers: boolean): ReactNode {
  if (action === 'back') return <BackLabel id={id} />
  if (action === 'call' && callsForOthers) return text.actions.callFor
  if (action === 'resume' && !today) return text.actions.resumeToday
  return text.actions[action]
}

/** The place that an absent visitor gets on return. The line is loaded when the menu opens. */
function BackLabel({ id }: { id: string }) {
  const { data } = useQuery(lineQuery)
  const place = data?.returnPositions?.[id]
  return place ? fill(text.backAs, { place }) : text.actions.back
}

/** The classes as a submenu, with a tick at the present class. */
const classesOf = (subject: Subject): Item => ({
  key: 'classes',
  label: text.actions.prioritise,
  children: givenClasses.map((of) => ({
    key: `class/${of}`,
    label: text.classes[of],
    disabled: subject.class === of,
    ...(subject.class === of ? { extra: <Icon name="check" size={18} /> } : {}),
  })),
})

function choiceOf(key: string): Choice {
  const of = givenClasses.find((one) => key === `class/${one}`)
  return of ? { action: 'prioritise', class: of } : { action: key as Exclude<ActionName, 'prioritise'> }
}
