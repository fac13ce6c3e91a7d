import { useMutation } from '@tanstack/react-query'
import { Button, Popconfirm } from 'antd'
import { useCallback, useState, type ReactNode } from 'react'
import { Link } from 'react-router'
import { fill } from '@/messages'
import { messages } from '@/staff-messages'
import { Availability } from '@/ui/badges'
import { Icon } from '@/ui/icon'
import { Panel } from '@/ui/panel'
import { Records, type Column } from '@/ui/records'
import { isAvailable, type Staff } from './models'
import { endSessions, setActive } from './mutations'
import { AddStaffDialog, EditStaffDialog } from './staff-dialogs'
import { StaffUndo, type StaffChangeMade } from './staff-undo'
import './tables.css'

const text = messages.directory.staff
const { roles } = messages.auth

const roleOf = ({ role }: Staff) => (Object.hasOwn(roles, role) ? roles[role] : role)
const nameOf = (pageOf: Props['pageOf']): Column<Staff> => ({
  key: 'name',
  title: text.name,
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

const factsOf = (isFree: Props['isFree']): readonly Column<Staff>[] => [
  {
    key: 'specialization',
    title: text.specialization,
    entry: 'line',
    render: (staff) => staff.consultant?.specialization.join(', ') ?? roleOf(staff),
  },
  {
    key: 'availability',
    title: text.availability,
    width: 150,
    entry: 'end',
    render: ({ id, isActive, consultant }) =>
      isActive && !consultant ? null : (
        <>
          {consultant ? (
            <Availability available={isActive && isAvailable(consultant)} free={isFree(id)} />
          ) : null}
          {isActive ? null : <small className="small-line">{text.inactive}</small>}
        </>
      ),
  },
  {
    key: 'sessions',
    title: text.sessions,
    width: 150,
    align: 'right',
    entry: 'titled',
    render: ({ consultant }) => consultant?.totalSessions,
  },
  {
    key: 'queue',
    title: text.queue,
    width: 140,
    align: 'right',
    entry: 'titled',
    render: ({ consultant }) => consultant?.currentQueue,
  },
]

type Props = {
  /** Undefined while they load. */
  staff: readonly Staff[] | undefined
  /** The signed-in user, who cannot deactivate their own account or change their own role. */
  ownId: string
  /** The address of a consultant's figures. */
  pageOf: (id: string) => string
  /** The state of a consultant's desk, with the button that changes it. */
  deskOf: (id: string) => ReactNode
  /** Whether a consultant's desk is open and without a visitor. */
  isFree: (id: string) => boolean
  /** The button that opens the services of the consultants. */
  skills: ReactNode
  /** Calls `deactivate` once no visitor waits for this consultant alone. */
  onDeactivate: (staff: Staff, deactivate: () => void) => void
}

/** The staff with their load, and the dialogs that change them. */
export function StaffTable({ staff, ownId, pageOf, deskOf, isFree, skills, onDeactivate }: Props) {
  const [dialog, setDialog] = useState<Staff | 'new' | null>(null)
  const activity = useMutation(setActive)
  const close = () => setDialog(null)
  const [made, setMade] = useState<StaffChangeMade>()
  const forget = useCallback(() => setMade(undefined), [])
  const toggle = (row: Staff) => {
    const { name, isActive } = row
    const onSuccess = () =>
      setMade(isActive ? { staff: row, sentence: fill(text.deactivated, { name }) } : undefined)
    const change = () => activity.mutate({ staff: row, active: !isActive }, { onSuccess })
    if (row.isActive) onDeactivate(row, change)
    else change()
  }
  const columns: Column<Staff>[] = [
    nameOf(pageOf),
    ...factsOf(isFree),
    deskColumn(deskOf),
    {
      key: 'actions',
      title: text.actions,
      width: 350,
      entry: 'line',
      render: (row) => (
        <Actions
          staff={row}
          own={row.id === ownId}
          busy={activity.isPending}
          onEdit={() => setDialog(row)}
          onToggle={() => toggle(row)}
        />
      ),
    },
  ]

  return (
    <Panel
      title={text.title}
      count={staff?.length}
      extra={
        <span className="staff-tools">
          {skills}
          <AddButton onClick={() => setDialog('new')} />
        </span>
      }
    >
      {made ? <StaffUndo made={made} onEnd={forget} /> : null}
      <Records
        label={text.title}
        columns={columns}
        rows={staff ?? []}
        rowKey={({ id }) => id}
        empty={text.empty}
        loading={staff ? undefined : messages.visits.loading}
      />
      {dialog === 'new' ? <AddStaffDialog onClose={close} /> : null}
      {dialog && dialog !== 'new' ? (
        <EditStaffDialog staff={dialog} own={dialog.id === ownId} onClose={close} onRoleChanged={setMade} />
      ) : null}
    </Panel>
  )
}

const deskColumn = (deskOf: Props['deskOf']): Column<Staff> => ({
  key: 'desk',
  title: messages.life.desk.column,
  width: 150,
  entry: 'line',
  render: ({ id, isActive, consultant }) => (isActive && consultant ? deskOf(id) : null),
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
  busy: boolean
  onEdit: () => void
  onToggle: () => void
}

function Actions({ staff, own, busy, onEdit, onToggle }: ActionsProps) {
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
      <EndSessions staff={staff} own={own} />
    </span>
  )
}

/** Ends all sessions of a person, such as one that may be stolen or is on a lost device. */
function EndSessions({ staff: { id, name }, own }: { staff: Staff; own: boolean }) {
  const end = useMutation(endSessions)
  return (
    <Popconfirm
      placement="topRight"
      title={fill(text.endSessionsTitle, { name })}
      description={own ? text.endOwnSessionsText : fill(text.endSessionsText, { name })}
      okText={text.endSessions}
      okButtonProps={{ danger: true }}
      cancelText={text.keepSessions}
      onConfirm={() => end.mutate(id)}
    >
      <Button size="small" disabled={end.isPending} aria-label={fill(text.endSessionsOf, { name })}>
        {text.endSessions}
      </Button>
    </Popconfirm>
  )
}
