import { useMutation, useQuery } from '@tanstack/react-query'
import { Segmented } from 'antd'
import { useState } from 'react'
import type { Appointment } from '@/api/types'
import { inBackground } from '@/in-background'
import { messages } from '@/messages'
import { Empty } from '@/ui/empty'
import { LoadAgain } from '@/ui/load-again'
import { Pages } from '@/ui/pages'
import { ScrollRegion } from '@/ui/panel'
import { Blank, BlankLines, SkeletonRows } from '@/ui/skeleton-rows'
import { answerAppointment } from './mutations'
import { appointmentsQuery, requestsAtOnce } from './queries'
import { AppointmentRequestEntry } from './request-entry'
import './appointment-requests.css'

const text = messages.appointments
const shown = ['pending', 'confirmed', 'done', 'declined', 'all'] as const
type Filter = (typeof shown)[number]
const filters = shown.map((value) => ({ value, label: text.filters[value] }))

type Props = {
  /** Fills the registration form with the request. Without it, visits cannot be registered from the list. */
  onRegister?: (request: Appointment) => void
}

/** The appointment requests from the public page, with the buttons that answer them. */
export function AppointmentRequests({ onRegister }: Props) {
  const [filter, setFilter] = useState<Filter>('pending')
  const [page, setPage] = useState(1)
  const requests = useQuery(appointmentsQuery(filter === 'all' ? undefined : filter, page))
  const answer = useMutation(answerAppointment)
  const { appointments, pagination } = requests.data ?? {}

  return (
    <>
      <div className="requests-filter">
        <Segmented<Filter>
          aria-label={text.filter}
          options={filters}
          value={filter}
          onChange={(chosen) => {
            setFilter(chosen)
            setPage(1)
          }}
        />
      </div>
      {appointments ? null : (
        <Missing failed={requests.isError} onRetry={() => inBackground(requests.refetch())} />
      )}
      {appointments?.length === 0 ? <Empty text={text.empty[filter]} /> : null}
      {appointments && appointments.length > 0 ? (
        <>
          <p className="requests-hint">{text.hint}</p>
          <ScrollRegion label={text.title}>
            <ul>
              {appointments.map((request) => (
                <AppointmentRequestEntry
                  key={request.id}
                  request={request}
                  busy={answer.isPending && answer.variables.id === request.id}
                  onAnswer={(status) => answer.mutate({ id: request.id, status })}
                  onRegister={onRegister && (() => onRegister(request))}
                />
              ))}
            </ul>
          </ScrollRegion>
        </>
      ) : null}
      {pagination && pagination.pages > 1 ? (
        <Pages
          className="requests-pages"
          size="small"
          pageSize={requestsAtOnce}
          current={page}
          total={pagination.total}
          onChange={setPage}
        />
      ) : null}
    </>
  )
}

function Missing({ failed, onRetry }: { failed: boolean; onRetry: () => void }) {
  if (failed) return <LoadAgain text={text.loadFailed} onRetry={onRetry} />
  return (
    <SkeletonRows label={text.loading} rows={3}>
      <BlankRequest />
    </SkeletonRows>
  )
}

function BlankRequest() {
  return (
    <div className="request">
      <div className="request-when">
        <Blank like="figure" />
      </div>
      <div className="request-visitor">
        <BlankLines lines={4} />
      </div>
      <div className="request-actions">
        {Array.from({ length: 4 }, (_, index) => (
          <Blank key={index} like="control" />
        ))}
      </div>
    </div>
  )
}
