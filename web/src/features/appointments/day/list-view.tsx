import { useQuery } from '@tanstack/react-query'
import { Checkbox } from 'antd'
import { useState } from 'react'
import { requestsAtOnce } from '@/features/appointments/queries'
import { inBackground } from '@/in-background'
import { messages } from '@/staff-messages'
import { Empty } from '@/ui/empty'
import { LoadAgain } from '@/ui/load-again'
import { Pages } from '@/ui/pages'
import { ScrollRegion } from '@/ui/panel'
import { SkeletonRows } from '@/ui/skeleton-rows'
import { listQuery } from './queries'
import { Row } from './row'
import type { Acts } from './use-acts'
import type { Work } from './work'

const text = messages.day

type Props = { of: 'requests' | 'time'; work: Work; acts: Acts }

/** Pending requests, or appointments that need a new time. */
export function ListView({ of, work, acts }: Props) {
  const [late, setLate] = useState(false)
  const [page, setPage] = useState(1)
  const list = useQuery(listQuery(of === 'requests' && late ? 'answer' : of, page))
  const { appointments, pagination } = list.data ?? {}
  return (
    <div className="day">
      {of === 'requests' ? (
        <div className="day-choice">
          <Checkbox
            checked={late}
            onChange={({ target }) => {
              setLate(target.checked)
              setPage(1)
            }}
          >
            {text.views.answer}
          </Checkbox>
        </div>
      ) : null}
      {!appointments && list.isError ? (
        <LoadAgain text={text.loadFailed} onRetry={() => inBackground(list.refetch())} />
      ) : null}
      {list.isPending ? <SkeletonRows label={text.loading} /> : null}
      {appointments?.length === 0 ? <Empty text={of === 'time' ? text.noneMoved : text.nonePending} /> : null}
      {appointments && appointments.length > 0 ? (
        <ScrollRegion label={text.views[of]}>
          <ul>
            {appointments.map((appointment) => (
              <Row
                key={appointment.id}
                appointment={appointment}
                work={work}
                dated
                own={acts.own === appointment.id}
                busy={acts.busyId === appointment.id}
                onAct={(action) => acts.act(appointment, action)}
              />
            ))}
          </ul>
        </ScrollRegion>
      ) : null}
      {pagination && pagination.pages > 1 ? (
        <Pages
          className="day-pages"
          size="small"
          pageSize={requestsAtOnce}
          current={page}
          total={pagination.total}
          onChange={setPage}
        />
      ) : null}
    </div>
  )
}
