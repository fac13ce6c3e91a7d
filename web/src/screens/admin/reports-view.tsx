import { messages } from '@/admin-messages'
import { useQuery } from '@tanstack/react-query'
import { Button, DatePicker } from 'antd'
import dayjs, { type Dayjs } from 'dayjs'
import { useState } from 'react'
import { flushSync } from 'react-dom'
import { useSearchParams } from 'react-router'
import { shownDay } from '@/features/audit/days'
import { periodOf, plusDays } from '@/features/audit/period'
import { PeriodPicker } from '@/features/audit/period-picker'
import { comparisonQuery, registerQuery } from '@/features/audit/report-queries'
import { Register } from '@/features/audit/register'
import { Report } from '@/features/audit/report'
import { servicesQuery } from '@/features/directory/queries'
import { inBackground } from '@/in-background'
import { fill } from '@/messages'
import { LoadAgain } from '@/ui/load-again'
import { useOfficeTime } from '@/ui/office-time'
import { Panel } from '@/ui/panel'
import { SkeletonRows } from '@/ui/skeleton-rows'

const text = messages.reports

const place = { tab: 'analytics', view: 'reports' }

const aMonday = '2024-01-01'

/** The figures of a period and the register of a day, both on screen and on paper. */
export function ReportsView() {
  const [search, setSearch] = useSearchParams()
  const time = useOfficeTime()
  const today = time.today()
  const period = periodOf(search, today)
  const comparison = useQuery(comparisonQuery(period))
  const services = useQuery(servicesQuery)
  const estimates = new Map(services.data?.map(({ id, estimatedTime }) => [id, estimatedTime]))
  const days = Array.from({ length: 7 }, (_, index) => time.weekdayOf(plusDays(aMonday, index)))
  const { printed, print } = usePrint()

  return (
    <div className="reports">
      <div className="reports-tools">
        <PeriodPicker
          period={period}
          today={today}
          onPreset={(preset) => setSearch({ ...place, days: String(preset) }, { replace: true })}
          onDays={({ start, end }) => setSearch({ ...place, from: start, to: end }, { replace: true })}
        />
        <Button disabled={!comparison.data} onClick={() => print('report')}>
          {text.print}
        </Button>
      </div>
      <div className={printed === 'report' ? 'printed' : undefined}>
        <p>{fill(text.between, { start: time.dayOf(period.start), end: time.dayOf(period.end) })}</p>
        {comparison.data ? (
          <Report comparison={comparison.data} estimates={estimates} days={days} />
        ) : (
          <Panel title={messages.analytics.views.reports}>
            {comparison.isError ? (
              <LoadAgain text={text.failed} onRetry={() => inBackground(comparison.refetch())} />
            ) : (
              <SkeletonRows label={text.loading} />
            )}
          </Panel>
        )}
      </div>
      <RegisterOfADay today={today} printed={printed === 'register'} onPrint={() => print('register')} />
    </div>
  )
}

/** While the browser prints, marks the part of the page that is printed, for the style sheet. */
function usePrint() {
  const [printed, setPrinted] = useState<'report' | 'register'>()
  const print = (what: 'report' | 'register') => {
    flushSync(() => setPrinted(what))
    window.print()
    setPrinted(undefined)
  }
  return { printed, print }
}

type RegisterProps = { today: string; printed: boolean; onPrint: () => void }

function RegisterOfADay({ today, printed, onPrint }: RegisterProps) {
  const [day, setDay] = useState(today)
  const register = useQuery(registerQuery(day))
  const time = useOfficeTime()
  return (
    <div className={printed ? 'printed' : undefined}>
      <Panel
        title={text.register.title}
        count={register.data?.entries.length}
        extra={
          <>
            <DatePicker
              aria-label={text.register.day}
              allowClear={false}
              format={shownDay}
              disabledDate={(one: Dayjs) => one.format('YYYY-MM-DD') > today}
              value={dayjs(day)}
              onChange={(one: Dayjs | null) => one && setDay(one.format('YYYY-MM-DD'))}
            />
            <Button disabled={!register.data} onClick={onPrint}>
              {text.register.print}
            </Button>
          </>
        }
      >
        {printed ? <p>{time.dayOf(day)}</p> : null}
        {register.data ? <Register register={register.data} /> : null}
        {!register.data && register.isError ? (
          <LoadAgain text={text.register.failed} onRetry={() => inBackground(register.refetch())} />
        ) : null}
        {!register.data && !register.isError ? <SkeletonRows label={text.loading} /> : null}
      </Panel>
    </div>
  )
}
