import { useQuery } from '@tanstack/react-query'
import { Select } from 'antd'
import { useState, type ReactNode } from 'react'
import type { RankedChoice } from '@/features/visits/data/consultant-choice'
import { desksQuery } from '@/features/visits/data/queries'
import { DeskState } from '@/features/visits/parts/desk-state'
import { fill } from '@/messages'
import { messages } from '@/staff-messages'
import { searchByWord } from '@/ui/select-search'
import '@/features/visits/parts/consultant-select.css'

const text = messages.visits.pending

type Props = {
  label: string
  choices: readonly RankedChoice[]
  value: string | undefined
  onChange: (id: string) => void
}

/**
 * Selects the consultant for an assignment. Busy consultants are below a divider. Typing filters the list; Enter
 * takes the first option.
 */
export function ConsultantSelect({ label, choices, value, onChange }: Props) {
  const [open, setOpen] = useState(false)
  return (
    <Select
      className="pending-select"
      aria-label={label}
      placeholder={text.chooseConsultant}
      notFoundContent={text.noneFree}
      showSearch={searchByWord}
      open={open}
      onOpenChange={setOpen}
      // The list is closed here at once: the component itself closes it later, and fast keys would still reach the open
      // list.
      onSelect={() => setOpen(false)}
      popupMatchSelectWidth={360}
      options={choices.map((choice, index) => ({
        value: choice.id,
        label: fill(text.consultantOption, { name: choice.name, queue: choice.currentQueue }),
        choice,
        className: isFirstBusy(choices, index) ? 'consultant-divided' : '',
      }))}
      optionRender={({ label: shown, data }) => <Choice label={shown} choice={data.choice} />}
      value={value ?? null}
      onChange={onChange}
    />
  )
}

/** Whether an option is the first busy consultant. Busy consultants follow the available ones. */
const isFirstBusy = (choices: readonly RankedChoice[], index: number) =>
  choices[index]?.available === false && choices[index - 1]?.available === true

function Choice({ label, choice }: { label: ReactNode; choice: RankedChoice }) {
  const { data: desks } = useQuery(desksQuery)
  const desk = desks?.find(({ consultantId }) => consultantId === choice.id)
  return (
    <span className="consultant-choice">
      <b>{label}</b>
      {desk ? <DeskState desk={desk} /> : null}
      <small>
        {choice.suits ? <span className="consultant-suits">{text.suits}</span> : null}
        {choice.available ? null : (
          <span className="consultant-free">{fill(text.freeIn, { minutes: choice.freeIn })}</span>
        )}
        <span>{choice.specialization.join(', ')}</span>
      </small>
    </span>
  )
}
