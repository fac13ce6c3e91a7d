import { Modal } from 'antd'
import type { ComponentProps } from 'react'
import { messages as attention } from '@/attention-messages'
import { languages } from '@/locales/languages'
import { Empty } from '@/ui/empty'
import { useOfficeTime } from '@/ui/office-time'
import { useServiceNames } from '@/ui/office-words'
import { useReturnFocus } from '@/ui/use-return-focus'
import { Acts } from './acts'
import type { Need } from './needs'
import { Sentence } from './sentence'
import './sheet.css'

const text = attention.attention

type Props = Pick<ComponentProps<typeof Acts>, 'onAct'> & {
  needs: readonly Need[]
  /** False while a dialog of an entry is open. */
  open: boolean
  onClose: () => void
}

/** Everything that needs attention, each entry with all its buttons. Escape closes it. */
export function Sheet({ needs, open, onAct, onClose }: Props) {
  useReturnFocus()
  return (
    <Modal
      open={open}
      title={text.title}
      footer={null}
      width={880}
      focusable={{ focusTriggerAfterClose: false }} // useReturnFocus returns the focus, unless another dialog follows
      onCancel={onClose}
    >
      {needs.length === 0 ? (
        <Empty text={text.nothing} />
      ) : (
        <ul className="attention-sheet" aria-label={text.title}>
          {needs.map((need) => (
            <Row key={need.id} of={need} onAct={onAct} />
          ))}
        </ul>
      )}
    </Modal>
  )
}

function Row({ of: need, onAct }: { of: Need } & Pick<Props, 'onAct'>) {
  const { time } = useOfficeTime()
  return (
    <li>
      <time dateTime={need.since}>{time(need.since)}</time>
      <span className="attention-sheet-what">
        <b>
          <Sentence of={need} />
        </b>
        <span>
          <Details of={need} />
        </span>
      </span>
      <span className="attention-sheet-acts">
        <Acts of={need} onAct={onAct} />
      </span>
    </li>
  )
}

/** The person whom an entry is about, with the service; for a request at the door, phone and language. */
function Details({ of: need }: { of: Need }) {
  const nameOf = useServiceNames()
  if (need.kind === 'return') return `${need.visit.name}, ${nameOf(need.visit.service)}`
  if (need.kind !== 'arrival') {
    const { visit } = need
    return visit ? `${visit.name}, ${nameOf({ id: visit.service, name: visit.service })}` : null
  }
  const { phone, language, messages } = need.arrival
  return (
    <>
      {phone}, <span lang={language}>{languages[language].name}</span>
      {messages ? `, ${attention.arrivals.messages}` : null}
    </>
  )
}
