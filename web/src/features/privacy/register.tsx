import { useQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import { useState } from 'react'
import { messages } from '@/admin-messages'
import { inBackground } from '@/in-background'
import { fill } from '@/messages'
import { Icon } from '@/ui/icon'
import { LoadAgain } from '@/ui/load-again'
import { useOfficeTime, type OfficeTime } from '@/ui/office-time'
import { Panel, PanelBody } from '@/ui/panel'
import { Records, TwoLines, type Column } from '@/ui/records'
import { privacyRequestsQuery, type PrivacyRequest } from './queries'
import { AnswerDialog, PrivacyRequestDialog } from './request-dialogs'

const text = messages.privacy.requests

/** The register of privacy requests. `onPerson` chooses the person of a request. */
export function Register({ onPerson }: { onPerson: (request: PrivacyRequest) => void }) {
  const { data, isError, refetch } = useQuery(privacyRequestsQuery)
  const [adding, setAdding] = useState(false)
  const [answered, setAnswered] = useState<PrivacyRequest>()
  const time = useOfficeTime()
  const columns: Column<PrivacyRequest>[] = [
    ...factsOf(time),
    {
      key: 'actions',
      title: text.actions,
      width: 230,
      entry: 'line',
      render: (request) => <Actions request={request} onAnswer={setAnswered} onPerson={onPerson} />,
    },
  ]
  return (
    <Panel
      title={text.title}
      count={data?.filter(({ state }) => state === 'open').length}
      extra={
        <Button type="primary" icon={<Icon name="plus" size={18} />} onClick={() => setAdding(true)}>
          {text.add}
        </Button>
      }
    >
      <PanelBody>
        <p>{text.hint}</p>
      </PanelBody>
      <Records
        label={text.title}
        columns={columns}
        rows={data ?? []}
        rowKey={({ id }) => id}
        empty={text.empty}
        missing={
          isError ? (
            <LoadAgain text={messages.privacy.failed} onRetry={() => inBackground(refetch())} />
          ) : undefined
        }
        loading={data || isError ? undefined : messages.privacy.loading}
      />
      {adding ? <PrivacyRequestDialog onClose={() => setAdding(false)} /> : null}
      {answered ? <AnswerDialog request={answered} onClose={() => setAnswered(undefined)} /> : null}
    </Panel>
  )
}

const factsOf = (time: OfficeTime): Column<PrivacyRequest>[] => [
  {
    key: 'kind',
    title: text.kind,
    width: 170,
    entry: 'lead',
    render: ({ kind, phone }) => <TwoLines first={text.kinds[kind]} second={phone || text.erased} />,
  },
  { key: 'text', title: text.text, entry: 'titled', render: ({ text: asked }) => asked || null },
  {
    key: 'received',
    title: text.received,
    width: 150,
    entry: 'titled',
    render: ({ receivedAt, receivedBy }) => <TwoLines first={time.day(receivedAt)} second={receivedBy} />,
  },
  {
    key: 'due',
    title: text.due,
    width: 140,
    entry: 'end',
    render: ({ dueAt, overdue }) => (
      <TwoLines
        first={time.day(dueAt)}
        second={overdue ? <b className="privacy-overdue">{text.overdue}</b> : ''}
      />
    ),
  },
  {
    key: 'state',
    title: text.state,
    entry: 'titled',
    render: ({ state, answer, answeredAt, answeredBy }) => (
      <TwoLines
        first={
          answeredAt
            ? fill(text.answered, {
                state: text.states[state],
                day: time.day(answeredAt),
                name: answeredBy ?? '',
              })
            : text.states[state]
        }
        second={answer}
      />
    ),
  },
]

type ActionsProps = {
  request: PrivacyRequest
  onAnswer: (request: PrivacyRequest) => void
  onPerson: (request: PrivacyRequest) => void
}

function Actions({ request, onAnswer, onPerson }: ActionsProps) {
  const { kind, phone } = request
  const named = { kind: text.kinds[kind], phone: phone || text.erased }
  return (
    <span className="row-actions">
      <Button size="small" aria-label={fill(text.answerTo, named)} onClick={() => onAnswer(request)}>
        {text.answer}
      </Button>
      {phone ? (
        <Button size="small" aria-label={fill(text.personOf, named)} onClick={() => onPerson(request)}>
          {text.openPerson}
        </Button>
      ) : null}
    </span>
  )
}
