import { useMutation } from '@tanstack/react-query'
import { Button } from 'antd'
import { useState, type ReactNode } from 'react'
import { Link } from 'react-router'
import { fill } from '@/messages'
import { messages } from '@/staff-messages'
import { Availability } from '@/ui/badges'
import { Icon } from '@/ui/icon'
import { Panel } from '@/ui/panel'
import { Records, type Column } from '@/ui/records'
import { Invited } from './invited'
import { isAvailable, type Staff } from './models'
import { setActive } from './mutations'
import { AddStaffDialog, EditStaffDialog } from './staff-dialogs'
import { DeskNumberDialog, EndSessionsDialog, StaffMenu, type StaffChoice } from './staff-menu'
import './tables.css'

const text = messages.directory.staff
const { roles } = messages.auth

const roleOf = ({ role }: Staff) => (Object.hasOwn(roles, role) ? roles[role] : role)
const nameOf = (pageOf: Props['pageOf']): Column<Staff> => ({
  key: 'name',
  title: text.name,
  width: 180,
  entry: 'lead',
  render: ({ id, name, consultant }) =>
    consultant ? (
      <Link className="record-link" to={pageOf(id)}>
        {name}
      </Link>
    ) : (
      <b>{name}</b>
    ),
})

const factsOf = ({ stateOf, isFree }: Pick<Props, 'stateOf' | 'isFree'>): readonly Column<Staff>[] => [
  {
    key: 'specialization',
    title: text.specialization,
    entry: 'line',
    render: (staff) => {
      const all = staff.consultant?.specialization.join(', ')
      return all ? (
        <span className="one-line" title={all}>
          {all}
        </span>
      ) : (
        roleOf(staff)
      )
    },
  },
  {
    key: 'availability',
    title: text.availability,
    width: 300,
    entry: 'line',
    render: (staff) => {
      const { id, isActive, consultant, invitedUntil } = staff
      if (isActive && !consultant && invitedUntil === null) return null
      return (
        <span className="staff-state">
          {consultant ? (
            <Availability available={isActive && isAvailable(consultant)} free={isFree(id)} />
          ) : null}
          {isActive ? stateOf(id) : <small className="small-text">{text.inactive}</small>}
          {invitedUntil === null ? null : <Invited staff={staff} until={invitedUntil} />}
        </span>
      )
    },
  },
  {
    key: 'sessions',
    title: text.sessions,
    width: 120,
    align: 'right',
    entry: 'titled',
    render: ({ consultant }) => consultant?.totalSessions,
  },
  {
    key: 'queue',
    title: text.queue,
    width: 110,
    align: 'right',
    entry: 'titled',
    render: ({ consultant }) => consultant?.currentQueue,
  },
  {
    key: 'desk',
    title: messages.life.desk.column,
    width: 90,
    entry: 'titled',
    render: ({ consultant }) => (consultant?.counter === '' ? null : consultant?.counter),
  },
]

type Props = {
  /** Undefined while they load. */
  staff: readonly Staff[] | undefined
  /** The signed-in user, who cannot deactivate their own account or change their own role. */
  ownId: string
  /** The address of a consultant's figures. */
  pageOf: (id: string) => string
  /** The state of a consultant's desk; null without one. */
  stateOf: (id: string) => ReactNode
  /** Whether a consultant's desk is open and without a visitor. */
  isFree: (id: string) => boolean
  /** The button that opens the services of the consultants. */
  skills: ReactNode
  onChangeDesk: (id: string) => void
  /** Calls `go` once no visitor waits for this consultant alone. */
  onLeave: (staff: Staff, go: () => void) => void
}

type Open = { staff: Staff; dialog: 'edit' | 'number' | 'sessions' } | 'new'

export function StaffTable({ staff, ownId, pageOf, skills, onChangeDesk, onLeave, ...of }: Props) {
  const [open, setOpen] = useState<Open>()
  const activity = useMutation(setActive)
  const toggle = (row: Staff) => {
    const change = () => activity.mutate({ staff: row, active: !row.isActive })
    if (row.isActive) onLeave(row, change)
    else change()
  }
  const choose = (row: Staff, choice: StaffChoice) => {
    if (choice === 'desk') onChangeDesk(row.id)
    else setOpen({ staff: row, dialog: choice })
  }
  const actions = actionsOf((row) => (
    <Actions
      staff={row}
      own={row.id === ownId}
      hasDesk={of.stateOf(row.id) !== null}
      busy={activity.isPending}
      onEdit={() => setOpen({ staff: row, dialog: 'edit' })}
      onToggle={() => toggle(row)}
      onChoose={(choice) => choose(row, choice)}
    />
  ))

  return (
    <Panel
      title={text.title}
      count={staff?.length}
      className="staff"
      extra={
        <span className="row-actions">
          {skills}
          <AddButton onClick={() => setOpen('new')} />
        </span>
      }
    >
      <Records
        label={text.title}
        columns={[nameOf(pageOf), ...factsOf(of), actions]}
        rows={staff ?? []}
        rowKey={({ id }) => id}
        empty={text.empty}
        loading={staff ? undefined : messages.visits.loading}
      />
      {open ? (
        <StaffDialog open={open} ownId={ownId} onLeave={onLeave} onClose={() => setOpen(undefined)} />
      ) : null}
    </Panel>
  )
}

type DialogProps = Pick<Props, 'ownId' | 'onLeave'> & { open: Open; onClose: () => void }

function StaffDialog({ open, ownId, onLeave, onClose }: DialogProps) {
  if (open === 'new') return <AddStaffDialog onClose={onClose} />
  const { staff, dialog } = open
  const own = staff.id === ownId
  if (dialog === 'number') return <DeskNumberDialog staff={staff} onClose={onClose} />
  if (dialog === 'sessions') return <EndSessionsDialog staff={staff} own={own} onClose={onClose} />
  return <EditStaffDialog staff={staff} own={own} onLeave={onLeave} onClose={onClose} />
}

const actionsOf = (render: Column<Staff>['render']): Column<Staff> => ({
  key: 'actions',
  title: text.actions,
  width: 260,
  entry: 'line',
  render,
})

function AddButton({ onClick }: { onClick: () => void }) {
  return (
    <Button type="primary" icon={<Icon name="plus" size={18} />} onClick={onClick}>
      {text.add}
    </Button>
  )
}

type ActionsProps = {
  staff: Staff
  own: boolean
  hasDesk: boolean
  busy: boolean
  onEdit: () => void
  onToggle: () => void
  onChoose: (choice: StaffChoice) => void
}

function Actions({ staff, own, hasDesk, busy, onEdit, onToggle, onChoose }: ActionsProps) {
  const { name, isActive } = staff
  return (
    <span className="row-actions">
      <Button size="small" aria-label={fill(text.editOf, { name })} onClick={onEdit}>
        {text.edit}
      </Button>
      {own ? null : (
        <Button
          size="small"
          disabled={busy}
          aria-label={fill(isActive ? text.deactivateOf : text.activateOf, { name })}
          onClick={onToggle}
        >
          {isActive ? text.deactivate : text.activate}
        </Button>
      )}
      <StaffMenu staff={staff} hasDesk={hasDesk} onChoose={onChoose} />
    </span>
  )
}
