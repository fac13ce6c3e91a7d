import { useQuery } from '@tanstack/react-query'
import { Link, useParams, useSearchParams } from 'react-router'
import { FiguresPanel } from '@/features/audit/figures-panel'
import { periodOf } from '@/features/audit/period'
import { PeriodPicker } from '@/features/audit/period-picker'
import type { Subject } from '@/features/audit/queries'
import { RoleGate } from '@/features/auth/gate'
import { consultantsQuery, servicesQuery } from '@/features/directory/queries'
import { fill } from '@/messages'
import { messages } from '@/staff-messages'
import { useOfficeTime } from '@/ui/office-time'
import { Page, PageHead } from '@/ui/page'
import { figuresPage } from './figures-address'

const text = messages.audit.figures

export function ConsultantPage() {
  return (
    <RoleGate allow={['admin']}>
      <ConsultantFigures />
    </RoleGate>
  )
}

export function ServicePage() {
  return (
    <RoleGate allow={['admin']}>
      <ServiceFigures />
    </RoleGate>
  )
}

function ConsultantFigures() {
  const { id = '' } = useParams()
  const consultants = useQuery(consultantsQuery)
  const consultant = consultants.data?.find((one) => one.id === id)
  return (
    <FiguresOf
      subject={{ kind: 'consultant', id }}
      name={consultant?.name ?? (consultants.data ? text.unknownConsultant : '')}
      about={consultant?.specialization.join(', ')}
      back={{ to: '/dashboard/admin?tab=staff', label: messages.admin.tabs.staff }}
    />
  )
}

function ServiceFigures() {
  const { id = '' } = useParams()
  const services = useQuery(servicesQuery)
  const service = services.data?.find((one) => one.id === id)
  return (
    <FiguresOf
      subject={{ kind: 'service', id }}
      name={service?.name ?? (services.data ? text.unknownService : '')}
      about={service ? fill(text.estimate, { minutes: service.estimatedTime }) : undefined}
      back={{ to: '/dashboard/admin?tab=services', label: messages.admin.tabs.services }}
    />
  )
}

type Props = {
  subject: Subject
  name: string
  about: string | undefined
  back: { to: string; label: string }
}

function FiguresOf({ subject, name, about, back }: Props) {
  const [search, setSearch] = useSearchParams()
  const today = useOfficeTime().today()
  const period = periodOf(search, today)
  const partner = subject.kind === 'consultant' ? 'service' : 'consultant'
  return (
    <Page>
      <Link className="back-link" to={back.to}>
        {fill(text.back, { list: back.label })}
      </Link>
      <PageHead title={name} badges={about ? <span>{about}</span> : null} />
      <PeriodPicker
        period={period}
        today={today}
        onPreset={(days) => setSearch({ days: String(days) }, { replace: true })}
        onDays={({ start, end }) => setSearch({ from: start, to: end }, { replace: true })}
      />
      <FiguresPanel
        subject={subject}
        period={period}
        partnerPage={(id) => `${figuresPage(partner, id)}?${search.toString()}`}
      />
    </Page>
  )
}
