import { Checkbox } from 'antd'
import type { Bodies, Service } from '@/api/types'
import { locale } from '@/messages'
import { messages } from '@/staff-messages'
import { Filled } from '@/ui/filled'
import { OfficeWords } from '@/ui/office-words'
import '@/features/visits/parts/papers.css'

type Noted = Bodies['GivenDocument']

type Props = {
  papers: Service['documents']
  /** Undefined until a box is ticked: until then the papers count as not checked. */
  value?: Noted[]
  onChange?: (noted: Noted[] | undefined) => void
}

const text = messages.papers

/** The papers of a service, to tick those that the visitor has brought. */
export function Checklist({ papers, value, onChange }: Props) {
  const here = new Set(value?.filter(({ state }) => state === 'brought').map(({ key }) => key))
  const note = (isHere: (key: string) => boolean) =>
    onChange?.(
      papers.map(({ key, label, required }) => ({
        key,
        label,
        required,
        state: isHere(key) ? 'brought' : 'missing',
      })),
    )
  return (
    <div className="checklist" role="group" aria-label={text.title}>
      <Checkbox
        checked={here.size === papers.length}
        indeterminate={here.size > 0 && here.size < papers.length}
        onChange={({ target }) => note(() => target.checked)}
      >
        {text.all}
      </Checkbox>
      <Checkbox
        checked={value !== undefined && here.size === 0}
        onChange={({ target }) => (target.checked ? note(() => false) : onChange?.(undefined))}
      >
        {text.none}
      </Checkbox>
      {papers.map(({ key, label, labels, required }) => (
        <Checkbox
          key={key}
          checked={here.has(key)}
          onChange={({ target }) => note((one) => (one === key ? target.checked : here.has(one)))}
        >
          <Filled
            message={required ? '{paper}' : text.optional}
            values={{ paper: <OfficeWords text={label} translation={labels[locale]} /> }}
          />
        </Checkbox>
      ))}
    </div>
  )
}
