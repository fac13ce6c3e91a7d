import { useMutation, useQuery } from '@tanstack/react-query'
import { Button, Select } from 'antd'
import { useState } from 'react'
import type { Account, Role } from '@/api/types'
import { messages as attention } from '@/attention-messages'
import { fill } from '@/messages'
import { messages } from '@/staff-messages'
import { ConfirmDialog } from '@/ui/form-dialog'
import { useOfficeTime } from '@/ui/office-time'
import { Panel } from '@/ui/panel'
import { Records, type Column } from '@/ui/records'
import { roles } from './models'
import { setActive } from './mutations'
import { refusePerson } from './people'
import { waitingQuery } from './queries'

const text = attention.people
const { staff } = messages.directory

/** The people who wait for approval, each with a role to be let in with. Nothing while there are none. */
export function WaitingPeople() {
  const { data: people = [] } = useQuery(waitingQuery)
  const [chosen, setChosen] = useState<Readonly<Partial<Record<string, Role>>>>({})
  const [asked, setAsked] = useState<Account>()
  const letIn = useMutation(setActive)
  const refuse = useMutation(refusePerson)
  const time = useOfficeTime()
  const roleOf = ({ id, role }: Account) => chosen[id] ?? role
  if (people.length === 0) return null

  const columns: Column<Account>[] = [
    { key: 'name', title: staff.name, entry: 'lead', render: ({ name }) => <b>{name}</b> },
    { key: 'email', title: staff.email, entry: 'line', render: ({ email }) => email },
    {
      key: 'since',
      title: text.since,
      width: 200,
      entry: 'titled',
      render: ({ createdAt }) => `${time.day(createdAt)}, ${time.time(createdAt)}`,
    },
    {
      key: 'role',
      title: staff.role,
      width: 240,
      entry: 'line',
      render: (person) => (
        <Select<Role>
          aria-label={fill(text.roleOf, { name: person.name })}
          options={roles}
          value={roleOf(person)}
          popupMatchSelectWidth={false}
          onChange={(role) => setChosen({ ...chosen, [person.id]: role })}
        />
      ),
    },
    {
      key: 'actions',
      title: staff.actions,
      width: 220,
      entry: 'line',
      render: (person) => (
        <Answers
          name={person.name}
          busy={letIn.isPending && letIn.variables.staff.id === person.id}
          onLetIn={() => letIn.mutate({ staff: { ...person, role: roleOf(person) }, active: true })}
          onRefuse={() => setAsked(person)}
        />
      ),
    },
  ]
  return (
    <Panel title={text.waitingTitle} count={people.length}>
      <Records
        label={text.waitingTitle}
        columns={columns}
        rows={people}
        rowKey={({ id }) => id}
        empty={staff.empty}
      />
      {asked ? (
        <ConfirmDialog
          title={fill(text.refuseTitle, { name: asked.name })}
          text={fill(text.refuseText, { name: asked.name })}
          submit={text.refuse}
          pending={refuse.isPending}
          onConfirm={() => refuse.mutate(asked, { onSettled: () => setAsked(undefined) })}
          onClose={() => setAsked(undefined)}
        />
      ) : null}
    </Panel>
  )
}

type AnswersProps = { name: string; busy: boolean; onLetIn: () => void; onRefuse: () => void }

function Answers({ name, busy, onLetIn, onRefuse }: AnswersProps) {
  return (
    <span className="row-actions">
      <Button
        type="primary"
        size="small"
        disabled={busy}
        aria-label={fill(text.letInOf, { name })}
        onClick={onLetIn}
      >
        {text.letIn}
      </Button>
      <Button size="small" disabled={busy} aria-label={fill(text.refuseOf, { name })} onClick={onRefuse}>
        {text.refuse}
      </Button>
    </span>
  )
}
