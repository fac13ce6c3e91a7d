import { useQuery } from '@tanstack/react-query'
import { Drawer } from 'antd'
import { messages as adminMessages } from '@/admin-messages'
import type { AuditRecord, Visit } from '@/api/types'
import { inBackground } from '@/in-background'
import { fill } from '@/messages'
import { Empty } from '@/ui/empty'
import { LoadAgain } from '@/ui/load-again'
import { useOfficeTime } from '@/ui/office-time'
import { ServiceName } from '@/ui/office-words'
import { DialogRegion } from '@/ui/panel'
import { PhoneNumber } from '@/ui/phone-number'
import { SkeletonRows } from '@/ui/skeleton-rows'
import { StageTag } from '@/ui/stage-tag'
import { useIsPhone } from '@/ui/use-is-phone'
import { useReturnFocus } from '@/ui/use-return-focus'
import { historyQuery } from './queries'
import { stepOf } from './visit-steps'
import './visit-history.css'

const text = adminMessages.auditRecords.history
const roles: Partial<Record<string, string>> = adminMessages.trailRoles

/** The history of a visit from the audit trail: actor, action and time of each step. */
export function VisitHistory({ visit, onClose }: { visit: Visit; onClose: () => void }) {
  const phone = useIsPhone()
  useReturnFocus()
  const named = [visit.token, visit.tokenAlso, visit.name].filter(Boolean).join(' ')
  return (
    <Drawer
      open
      className="visit-history"
      title={named}
      size={phone ? '100%' : 460}
      closable={{ placement: 'end', 'aria-label': text.close }}
      onClose={onClose}
    >
      <DialogRegion label={named}>
        <div className="history-head">
          <StageTag status={visit.status} queue={visit.queue} />
          <span>
            <ServiceName of={visit.service} />
          </span>
          <PhoneNumber phone={visit.phone} />
        </div>
        <Steps id={visit.id} />
      </DialogRegion>
    </Drawer>
  )
}

function Steps({ id }: { id: string }) {
  const { data, isError, refetch } = useQuery(historyQuery(id))
  if (isError && !data) return <LoadAgain text={text.failed} onRetry={() => inBackground(refetch())} />
  if (!data) return <SkeletonRows label={text.loading} />
  if (data.length === 0) return <Empty text={text.empty} />
  return (
    <ol className="history">
      {data.map((record) => (
        <Step key={record.id} record={record} />
      ))}
    </ol>
  )
}

function Step({ record }: { record: AuditRecord }) {
  const time = useOfficeTime()
  const { title, service, facts, notes } = stepOf(record)
  const { user } = record
  return (
    <li className={`history-step history-${record.action}`}>
      <b>{title}</b>
      <time className="small-line" dateTime={record.createdAt}>
        {time.timeWithSeconds(record.createdAt)}, {time.day(record.createdAt)}
      </time>
      <p className="small-line">
        {user.role
          ? fill(text.by, { name: user.name, role: roles[user.role] ?? user.role })
          : user.name || adminMessages.auditRecords.trail.system}
      </p>
      {service ? (
        <p className="small-line">
          <ServiceName of={{ id: service, name: service }} />
        </p>
      ) : null}
      {facts.map((fact) => (
        <p key={fact} className="small-line">
          {fact}
        </p>
      ))}
      {notes ? <blockquote>{notes}</blockquote> : null}
    </li>
  )
}
