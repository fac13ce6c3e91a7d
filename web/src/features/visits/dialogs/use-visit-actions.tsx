import { useMutation } from '@tanstack/react-query'
import { Suspense, useCallback, useLayoutEffect, useRef, useState, type ReactNode } from 'react'
import { chunk } from '@/chunk'
import type { Visit } from '@/api/types'
import { useIntentionKey } from '@/api/use-intention-key'
import { useAct } from '@/features/visits/data/act'
import { needsDialog, type ActionContext, type Dialog } from '@/features/visits/data/action-context'
import { actionsFor, subjectOf, type ActionName, type Subject } from '@/features/visits/data/actions'
import type { Intent, VisitRef } from '@/features/visits/data/intent'
import { startSession } from '@/features/visits/data/mutations'
import { undoChange } from '@/features/visits/data/own-changes'
import { RowMenu, type Choice } from '@/features/visits/parts/row-menu'

// All dialogs are loaded when the first dialog opens.
const VisitDialog = chunk(async () => (await import('./visit-dialog')).VisitDialog)

/** The intent of a choice that needs no dialog; undefined for the others, and for `start` and `undo`. */
function intentOf(choice: Choice, forOthers: boolean): Intent | undefined {
  const { action } = choice
  if (action === 'prioritise') return { action: 'class', body: { class: choice.class } }
  if (action === 'unpin') return { action: 'pin', body: { consultant_id: null } }
  if (action === 'reopen') return { action, body: {} }
  if (action === 'call') return forOthers ? undefined : { action, body: {} }
  return isPlain(action) ? { action } : undefined
}

const plain = ['recall', 'miss', 'release', 'back', 'resume', 'leave', 'cancel'] as const
const isPlain = (action: string): action is (typeof plain)[number] => plain.some((one) => one === action)

/** The menu of each visit of a screen, the function behind its choices, and the open dialog. */
export function useVisitActions({ by, services, timeZone, office, today, line = [] }: ActionContext) {
  const [dialog, setDialog] = useState<Dialog>()
  const { act, pending: isActing } = useAct()
  const start = useMutation(startSession)
  const pending = isActing || start.isPending
  const undo = useMutation(undoChange)
  const { keyFor } = useIntentionKey()
  const forOthers = by.role !== 'consultant'

  const choose = (subject: Subject, choice: Choice) => {
    const { action } = choice
    const intent = intentOf(choice, forOthers)
    if (intent) act(subject, intent)
    else if (needsDialog(action)) setDialog({ subject, action })
    else if (action === 'start' && subject.visit) start.mutate(subject.visit)
    else if (action === 'undo') {
      const { id, token, version } = subject
      undo.mutate({ visit: { id, token, version }, key: keyFor({ id, version }) })
    }
  }

  const { menuOf, menuOfVisit } = useMenus({ by, today }, choose, pending)

  return {
    act,
    choose,
    pending,
    moveBefore: (subject: Subject, before: VisitRef) => setDialog({ subject, action: 'move', before }),
    menuOf,
    menuOfVisit,
    /** The id of the visit that the open dialog moves, and of the visit before which it is moved. */
    moving: dialog?.before ? { id: dialog.subject.id, before: dialog.before.id } : undefined,
    dialog: dialog ? (
      <Suspense fallback={null}>
        <VisitDialog
          {...dialog}
          services={services}
          timeZone={timeZone}
          office={office}
          line={line}
          onClose={() => setDialog(undefined)}
        />
      </Suspense>
    ) : null,
  }
}

/**
 * The menus of a screen. Rows of long lists are memoised, so the functions change only with the user, the day
 * and whether a request is pending.
 */
function useMenus(
  { by: { id, name, role }, today }: Pick<ActionContext, 'by' | 'today'>,
  choose: (subject: Subject, choice: Choice) => void,
  pending: boolean,
) {
  const latest = useRef(choose)
  useLayoutEffect(() => {
    latest.current = choose
  })
  const menuOf = useCallback(
    (subject: Subject, { without = [], ...more }: MenuState = {}): ReactNode => (
      <RowMenu
        subject={subject}
        actions={actionsFor(subject, { id, name, role }).filter((action) => !without.includes(action))}
        callsForOthers={role !== 'consultant'}
        disabled={pending}
        onChoose={(choice) => latest.current(subject, choice)}
        {...more}
      />
    ),
    [id, name, role, pending],
  )
  const menuOfVisit = useCallback((visit: Visit) => menuOf(subjectOf(visit, today)), [menuOf, today])
  return { menuOf, menuOfVisit }
}

type MenuState = {
  /** Actions that are left out: the stage allows them, but they cannot be done now. */
  without?: readonly ActionName[]
  disabled?: boolean
  open?: boolean
  onOpenChange?: (open: boolean) => void
  tabIndex?: number
}
