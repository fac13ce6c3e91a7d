import { Button, Popconfirm } from 'antd'
import type { Appointment, AppointmentStatus } from '@/api/types'
import { fill, messages } from '@/messages'
import { Icon } from '@/ui/icon'
import { useOfficeTime } from '@/ui/office-time'
import { ServiceName } from '@/ui/office-words'
import { PhoneNumber } from '@/ui/phone-number'
import type { VisitStatus } from '@/theme/palette'
import '@/ui/status-tag.css'
import type { Answer } from './mutations'

const text = messages.appointments

type Props = {
  request: Appointment
  busy: boolean
  onAnswer: (status: Answer) => void
  onRegister: (() => void) | undefined
}

export function AppointmentRequestEntry(props: Props) {
  const { request } = props
  const { name, status } = request
  const time = useOfficeTime()
  const open = status === 'pending' || status === 'confirmed'
  return (
    <li className="request" aria-label={name}>
      <p className="request-when">
        <span>{time.weekdayOf(request.preferredDate)}</span>
        <b>{time.dayOf(request.preferredDate)}</b>
        <b>{time.timeOf(request.preferredTime)}</b>
      </p>
      <div className="request-visitor">
        <h3>
          {name} <RequestStatus status={status} />
        </h3>
        <p className="request-service">
          <ServiceName of={{ id: request.service, name: request.service }} />
        </p>
        <p>
          <a href={`tel:+91${request.phone}`}>
            <PhoneNumber phone={request.phone} />
          </a>
          <a href={`mailto:${request.email}`}>{request.email}</a>
        </p>
        {request.message ? <p className="request-message">{request.message}</p> : null}
        <p className="request-age">
          {fill(text.requestedOn, { day: time.day(request.createdAt), time: time.time(request.createdAt) })}
        </p>
      </div>
      {open ? <Actions {...props} /> : null}
    </li>
  )
}

/** A visitor who is expected today can be registered. Confirming a pending request creates no visit. */
function Actions({ request: { name, status, preferredDate }, busy, onAnswer, onRegister }: Props) {
  const today = useOfficeTime().today()
  const register = preferredDate === today ? onRegister : undefined
  return (
    <div className="request-actions">
      {register ? (
        <Button
          type="primary"
          disabled={busy}
          aria-label={fill(text.registerOf, { name })}
          onClick={register}
        >
          {text.register}
        </Button>
      ) : null}
      {status === 'pending' ? (
        <Button
          type={register ? 'default' : 'primary'}
          disabled={busy}
          icon={<Icon name="check" size={16} />}
          aria-label={fill(text.confirmOf, { name })}
          onClick={() => onAnswer('confirmed')}
        >
          {text.confirm}
        </Button>
      ) : null}
      <Button disabled={busy} aria-label={fill(text.doneOf, { name })} onClick={() => onAnswer('done')}>
        {text.done}
      </Button>
      <Popconfirm
        placement="topRight"
        title={fill(text.declineTitle, { name })}
        description={text.declineText}
        okText={text.decline}
        okButtonProps={{ danger: true }}
        cancelText={text.keep}
        onConfirm={() => onAnswer('declined')}
      >
        <Button danger disabled={busy} aria-label={fill(text.declineOf, { name })}>
          {text.decline}
        </Button>
      </Popconfirm>
    </div>
  )
}

/** For each status of a request, the status of a visit that has the same colour. */
const colours: Record<AppointmentStatus, VisitStatus> = {
  pending: 'new',
  confirmed: 'approved',
  arrived: 'completed',
  'no-show': 'denied',
  cancelled: 'denied',
  done: 'completed',
  declined: 'denied',
}

function RequestStatus({ status }: { status: AppointmentStatus }) {
  return <span className={`request-status status-${colours[status]}`}>{text.filters[status]}</span>
}
