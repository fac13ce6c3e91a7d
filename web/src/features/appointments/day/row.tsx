import { useQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import { useState, type KeyboardEvent } from 'react'
import type { StaffAppointment } from '@/api/types'
import { fill, messages as shared } from '@/messages'
import { messages } from '@/staff-messages'
import { ActionMenu } from '@/ui/action-menu'
import { Icon } from '@/ui/icon'
import { useOfficeTime } from '@/ui/office-time'
import { ServiceName } from '@/ui/office-words'
import { PhoneNumber } from '@/ui/phone-number'
import '@/ui/status-tag.css'
import { linkQuery } from './queries'
import { actionsOf, colours, mainOf, type Action, type Work } from './work'

const text = messages.day

type Props = {
  appointment: StaffAppointment
  work: Work
  busy: boolean
  /** Whether the row shows the day, too: set in lists of several days. */
  dated: boolean
  /** Whether this user has changed the appointment just now. */
  own: boolean
  onAct: (action: Action) => void
}

/** The keys of the row that has the focus. Those of its controls stay theirs. */
const keyActions: Record<string, Action> = { m: 'move', n: 'noShow', Delete: 'cancel' }

export function Row({ appointment, work, busy, dated, own, onAct }: Props) {
  const { id, name, status, preferredDate, preferredTime, consultant, needsTime } = appointment
  const time = useOfficeTime()
  const [open, setOpen] = useState(false)
  const offered = actionsOf(appointment, time.today())
  const main = mainOf(appointment, time.today())
  const checkIn =
    work.checkIn && main !== undefined && preferredDate === time.today() ? work.checkIn : undefined
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (event.target !== event.currentTarget || event.ctrlKey || event.altKey || event.metaKey) return
    const action = keyActions[event.key.length === 1 ? event.key.toLowerCase() : event.key]
    if (event.key === 'Enter' && checkIn) checkIn(appointment)
    else if (action && offered.includes(action)) onAct(action)
    else return
    event.preventDefault()
  }
  return (
    <li
      className={own ? 'day-row day-row-own' : 'day-row'}
      aria-label={name}
      data-appointment={id}
      tabIndex={0}
      onKeyDown={onKeyDown}
    >
      <div className="day-who">
        {dated ? (
          <p className="day-when">
            {time.weekdayOf(preferredDate)}, {time.dayOf(preferredDate)}, {time.timeOf(preferredTime)}
          </p>
        ) : null}
        <h3>{name}</h3>
        <p>
          <ServiceName of={{ id: appointment.serviceId ?? appointment.service, name: appointment.service }} />
        </p>
        {consultant ? <p>{fill(text.askedFor, { consultant: consultant.name })}</p> : null}
      </div>
      <p className="day-state">
        <span className={`request-status status-${colours[status]}`}>
          {shared.appointments.filters[status]}
        </span>
        {needsTime ? <span className="request-status status-denied">{text.views.time}</span> : null}
      </p>
      <div className="day-actions">
        <MainButton
          {...{ appointment, busy, main, onAct }}
          checkIn={checkIn}
          isCheckingIn={work.isCheckingIn}
        />
        <RowMenu {...{ name, busy, onAct }} actions={offered} />
        <Button
          type="text"
          aria-expanded={open}
          aria-label={fill(text.detailsOf, { name })}
          icon={<Icon name="down" size={18} />}
          onClick={() => setOpen(!open)}
        />
      </div>
      {dated || open ? <Contact of={appointment} /> : null}
      {open ? <Told id={id} /> : null}
    </li>
  )
}

type MainProps = Pick<Props, 'appointment' | 'busy' | 'onAct'> & {
  main: ReturnType<typeof mainOf>
  checkIn: Work['checkIn']
  isCheckingIn: boolean
}

function MainButton({ appointment, busy, main, checkIn, isCheckingIn, onAct }: MainProps) {
  const { name } = appointment
  if (main === 'confirm')
    return (
      <Button
        type="primary"
        disabled={busy}
        aria-label={fill(text.confirmOf, { name })}
        onClick={() => onAct('confirm')}
      >
        {text.confirm}
      </Button>
    )
  if (!checkIn) return null
  return (
    <Button
      type="primary"
      disabled={busy || isCheckingIn}
      aria-label={fill(text.checkInOf, { name })}
      aria-keyshortcuts="Enter"
      onClick={() => checkIn(appointment)}
    >
      {text.checkIn}
    </Button>
  )
}

type MenuProps = { name: string; busy: boolean; actions: readonly Action[]; onAct: (action: Action) => void }

function RowMenu({ name, busy, actions, onAct }: MenuProps) {
  if (actions.length === 0) return null
  return (
    <ActionMenu
      placement="bottomRight"
      menu={{
        items: actions.map((key) => ({
          key,
          label: text[key],
          danger: key === 'cancel' || key === 'decline',
        })),
        onClick: ({ key }) => {
          const action = actions.find((one) => one === key)
          if (action) onAct(action)
        },
      }}
    >
      <Button
        type="text"
        disabled={busy}
        icon={<Icon name="more" size={18} />}
        aria-label={fill(text.menuOf, { name })}
        aria-haspopup="menu"
      />
    </ActionMenu>
  )
}

/** What the client has given. A list of requests shows it at once, because it decides the answer. */
function Contact({ of: { phone, email, message, source } }: { of: StaffAppointment }) {
  return (
    <div className="day-details">
      <p>
        {phone ? (
          <a href={`tel:+91${phone}`}>
            <PhoneNumber phone={phone} />
          </a>
        ) : null}
        {email ? <a href={`mailto:${email}`}>{email}</a> : null}
        <span>{text.sources[source]}</span>
      </p>
      {message ? <p className="day-message">{message}</p> : null}
    </div>
  )
}

/** The messages that were sent to the client. They are read when the row is opened. */
function Told({ id }: { id: string }) {
  const { data } = useQuery(linkQuery(id))
  const time = useOfficeTime()
  if (!data || data.told.length === 0) return null
  return (
    <ul className="day-details">
      {data.told.map(({ channel, kind, state, at }) => (
        <li key={`${channel}/${kind}/${at}`}>
          {fill(text.told[state], {
            channel: text.channels[channel],
            day: time.day(at),
            time: time.time(at),
          })}
        </li>
      ))}
    </ul>
  )
}
