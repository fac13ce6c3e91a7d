import { Modal } from 'antd'
import { useState, type ReactNode } from 'react'
import type { Visit } from '@/api/types'
import type { Issuer } from '@/features/visits/data/action-context'
import { arrivalOf } from '@/features/visits/data/order'
import { VisitService } from '@/features/visits/parts/visit-service'
import { inBackground } from '@/in-background'
import { fill } from '@/messages'
import { messages } from '@/staff-messages'
import { keys, read, write } from '@/storage'
import { ActionMenu } from '@/ui/action-menu'
import { Icon } from '@/ui/icon'
import { useOfficeTime } from '@/ui/office-time'
import { PhoneNumber } from '@/ui/phone-number'
import { Kbd } from '@/ui/shortcuts'
import { StageTag } from '@/ui/stage-tag'
import { Ticket, TicketSlot } from '@/ui/ticket'
import { TokenText } from '@/ui/token'
import { MissingPapers } from '@/features/visits/parts/missing-papers'
import { NotToday, Range } from '@/features/visits/parts/range'
import { papers, type Paper } from './paper-size'
import { printSlip } from './print-slip'
import { TokenSlip } from './token-slip'
import './issued-ticket.css'

export type ShownProps = {
  visit: Visit
  minutes: number | undefined
  office: Issuer
  /** Whether the token fills the screen, for the visitor across the desk. */
  large: boolean
  onLarge: (large: boolean) => void
  onPutAway: () => void
}

const text = messages.visits.slip
const desk = messages.desk

/** The paper that was last chosen in this browser. */
const rememberedPaper = (): Paper => papers.find((paper) => paper === read(keys.paper)) ?? '58'

/** A ticket on screen, and its slip for the printer. */
export function ShownTicket({ visit, minutes, office, large, onLarge, onPutAway }: ShownProps) {
  const [paper, setPaper] = useState(rememberedPaper)
  const choose = (chosen: Paper) => {
    setPaper(chosen)
    write(keys.paper, chosen)
  }
  return (
    <div className="issued-ticket">
      <TicketSlot />
      <FreshTicket
        visit={visit}
        minutes={minutes}
        actions={
          <>
            <PrintButton paper={paper} onPaper={choose} />
            <button
              type="button"
              className="ticket-button"
              aria-keyshortcuts="Shift+F9"
              onClick={() => onLarge(true)}
            >
              <Icon name="expand" size={18} />
              {text.show}
            </button>
            <button
              type="button"
              className="ticket-button ticket-button-quiet"
              aria-keyshortcuts="Escape"
              onClick={onPutAway}
            >
              {desk.putAway} <Kbd>{desk.putAwayKey}</Kbd>
            </button>
          </>
        }
      />
      <NotToday visit={visit} />
      <Modal
        open={large}
        title={messages.visits.token}
        footer={null}
        width="min(1100px, 96vw)"
        onCancel={() => onLarge(false)}
      >
        <p className="token-large">
          <TokenText token={visit.token} also={visit.tokenAlso} />
        </p>
        <p className="token-large-name">{visit.name}</p>
      </Modal>
      <TokenSlip visit={visit} paper={paper} office={office} />
    </div>
  )
}

type FreshProps = { visit: Visit; minutes: number | undefined; actions: ReactNode }

function FreshTicket({ visit, minutes, actions }: FreshProps) {
  const time = useOfficeTime()
  return (
    <Ticket
      key={visit.id}
      fresh
      token={visit.token}
      also={visit.tokenAlso}
      aside={
        <>
          <StageTag status={visit.status} queue={visit.queue} />
          <span>{time.time(arrivalOf(visit))}</span>
        </>
      }
      actions={actions}
    >
      <h2>{visit.name}</h2>
      <p className="ticket-line">
        <span>
          <VisitService of={visit} />
          {minutes ? `, ${fill(messages.visits.minutes, { minutes })}` : null}
        </span>
        <span>
          <PhoneNumber phone={visit.phone} />
        </span>
      </p>
      <Range of={visit.queue} />
      <MissingPapers of={visit} />
    </Ticket>
  )
}

const paperItems = papers.map((key) => ({ key, label: text.papers[key] }))
const isPaper = (key: string): key is Paper => papers.some((paper) => paper === key)

type PrintProps = { paper: Paper; onPaper: (paper: Paper) => void }

/** Prints the token; the menu beside it chooses the width of the paper. */
function PrintButton({ paper, onPaper }: PrintProps) {
  const name = fill(desk.paperChosen, { paper: text.papers[paper] })
  return (
    <span className="ticket-button-pair">
      <button
        type="button"
        className="ticket-button"
        aria-keyshortcuts="F9"
        onClick={() => inBackground(printSlip())}
      >
        <Icon name="printer" size={18} />
        {text.print} <Kbd>{text.printKey}</Kbd>
      </button>
      <ActionMenu
        menu={{
          items: paperItems,
          selectable: true,
          selectedKeys: [paper],
          onClick: ({ key }) => {
            if (isPaper(key)) onPaper(key)
          },
        }}
      >
        <button type="button" className="ticket-button" aria-label={name} title={name} aria-haspopup="menu">
          <Icon name="down" size={16} />
        </button>
      </ActionMenu>
    </span>
  )
}
