import { Button, Modal, Segmented } from 'antd'
import { useState } from 'react'
import type { Visit } from '@/api/types'
import { fill, messages } from '@/messages'
import { keys, read, write } from '@/storage'
import { Icon } from '@/ui/icon'
import { useOfficeTime } from '@/ui/office-time'
import { PhoneNumber } from '@/ui/phone-number'
import { Kbd } from '@/ui/shortcuts'
import { StageTag } from '@/ui/status-tag'
import { Ticket, TicketSlot } from '@/ui/ticket'
import { NotToday, Range } from './range'
import { papers, TokenSlip, type Paper } from './token-slip'
import { serviceName } from './visit'
import './issued-ticket.css'

type Props = {
  visit: Visit | null
  minutes: number | undefined
  brand: string
  /** The token in full screen, for the visitor across the desk. */
  large: boolean
  onLarge: (large: boolean) => void
}

const text = messages.visits.slip

/** The ticket of the token just created: animated, announced to screen readers, and printed on request. */
export function IssuedTicket({ visit, minutes, ...actions }: Props) {
  return (
    <>
      <p className="visually-hidden" aria-live="polite">
        {visit ? fill(messages.visits.form.announced, { token: visit.token, name: visit.name }) : null}
      </p>
      {visit ? (
        <div className="issued-ticket">
          <TicketSlot />
          <FreshTicket visit={visit} minutes={minutes} />
          <NotToday visit={visit} />
          <TicketActions visit={visit} {...actions} />
        </div>
      ) : null}
    </>
  )
}

function FreshTicket({ visit, minutes }: { visit: Visit; minutes: number | undefined }) {
  const time = useOfficeTime()
  return (
    <Ticket
      key={visit.id}
      fresh
      token={visit.token}
      aside={
        <>
          <StageTag status={visit.status} stage={visit.queue.stage} counter={visit.queue.counter} />
          <span>{time.time(visit.createdAt)}</span>
        </>
      }
    >
      <h2>{visit.name}</h2>
      <p>
        {serviceName(visit)}
        {minutes ? `, ${fill(messages.visits.minutes, { minutes })}` : null}
      </p>
      <p>
        <PhoneNumber phone={visit.phone} />
      </p>
      <Range of={visit.queue} />
    </Ticket>
  )
}

const paperOptions = papers.map((value) => ({ value, label: text.papers[value] }))

/** The paper width that was last used in this browser. */
const rememberedPaper = (): Paper => papers.find((paper) => paper === read(keys.paper)) ?? '58'

type ActionsProps = Omit<Props, 'visit' | 'minutes'> & { visit: Visit }

function TicketActions({ visit, brand, large, onLarge }: ActionsProps) {
  const [paper, setPaper] = useState(rememberedPaper)
  const choose = (chosen: Paper) => {
    setPaper(chosen)
    write(keys.paper, chosen)
  }
  return (
    <div className="ticket-actions">
      <Button icon={<Icon name="printer" size={18} />} aria-keyshortcuts="F9" onClick={() => window.print()}>
        {text.print} <Kbd>{text.printKey}</Kbd>
      </Button>
      <Segmented<Paper> aria-label={text.paper} options={paperOptions} value={paper} onChange={choose} />
      <Button
        icon={<Icon name="expand" size={18} />}
        aria-keyshortcuts="Shift+F9"
        onClick={() => onLarge(true)}
      >
        {text.show}
      </Button>
      <Modal
        open={large}
        title={messages.visits.token}
        footer={null}
        width="min(1100px, 96vw)"
        onCancel={() => onLarge(false)}
      >
        <p className="token-large">{visit.token}</p>
        <p className="token-large-name">{visit.name}</p>
      </Modal>
      <TokenSlip visit={visit} paper={paper} brand={brand} />
    </div>
  )
}
