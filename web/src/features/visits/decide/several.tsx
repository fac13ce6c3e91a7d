import { Button, Checkbox } from 'antd'
import { useState } from 'react'
import { draftText } from '@/drafts'
import { useBatch } from '@/features/visits/data/batch'
import type { Change } from '@/features/visits/data/batch-request'
import { choicesFor, type ConsultantChoice } from '@/features/visits/data/consultant-choice'
import { notesDraft } from '@/features/visits/data/draft'
import { fill } from '@/messages'
import { messages } from '@/staff-messages'
import { useShortcuts } from '@/ui/shortcuts'
import { ConsultantSelect } from './consultant-select'
import { onDecisionKey } from './decision-key'
import type { Selection } from './selection'
import './several.css'

const text = messages.visits.pending.several

/** The decision about the selected visitors, with the notes that were typed in their rows. */
export function useSeveral(
  { selected }: Selection,
  consultants: readonly ConsultantChoice[],
  onDecided: () => void,
) {
  const { act, pending, isSending } = useBatch()
  const [consultant, choose] = useState<string>()
  // A consultant who is no longer active is not an option any more.
  const chosen = consultants.find(({ id }) => id === consultant)
  const decide = (change: Change) => {
    const noted = selected.map((visit) => ({
      ...visit,
      decisionNotes: draftText(notesDraft(visit)),
    }))
    act(noted, change, { onAnswered: onDecided })
  }
  return {
    count: selected.length,
    pending,
    isSending,
    chosen,
    choose,
    send: () => decide({ action: 'approve', line: true }),
    approve: () => {
      if (chosen) decide({ action: 'approve', assigned_consultant_id: chosen.id })
    },
  }
}

export type Several = ReturnType<typeof useSeveral>

type Props = { selection: Selection; several: Several; consultants: readonly ConsultantChoice[] }

/** The tools for several visitors, above their rows. Tools that decide are shown once a row is selected. */
export function SeveralTools({ selection, several, consultants }: Props) {
  const { all, selected, toggleAll } = selection
  return (
    <div className="several">
      <Checkbox
        checked={all}
        indeterminate={selected.length > 0 && !all}
        aria-keyshortcuts="Control+F8"
        onChange={toggleAll}
      >
        {text.all}
      </Checkbox>
      {several.count > 0 ? <Decision several={several} consultants={consultants} /> : null}
    </div>
  )
}

function Decision({ several, consultants }: Omit<Props, 'selection'>) {
  const { count, pending, chosen, approve, send } = several
  useShortcuts({ 'Ctrl+Enter': approve, 'Ctrl+Shift+Enter': send })
  return (
    <div className="several-decision" onKeyDownCapture={onDecisionKey({ approve, send })}>
      <span role="status">{fill(text.selected, { count })}</span>
      <Button size="small" disabled={pending} aria-keyshortcuts="Control+Shift+Enter" onClick={send}>
        {fill(text.send, { count })}
      </Button>
      <ConsultantSelect
        label={text.consultant}
        choices={choicesFor('', consultants)}
        value={chosen?.id}
        onChange={several.choose}
      />
      <Button
        size="small"
        type="primary"
        disabled={pending || !chosen}
        aria-keyshortcuts="Control+Enter"
        onClick={approve}
      >
        {chosen ? fill(text.approveFor, { count, name: chosen.name }) : fill(text.approve, { count })}
      </Button>
    </div>
  )
}
