import { useQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import { useState } from 'react'
import { useUser } from '@/features/auth/gate'
import { staffOf, type Staff } from '@/features/directory/models'
import { accountsQuery, consultantsQuery, servicesQuery } from '@/features/directory/queries'
import { SkillsGrid } from '@/features/directory/skills-grid'
import { StaffTable } from '@/features/directory/staff-table'
import { useOffice } from '@/features/office/use-office'
import { suits } from '@/features/visits/data/consultant-choice'
import { leftBehind } from '@/features/visits/data/left-behind'
import { lineQuery, todayQuery } from '@/features/visits/data/queries'
import { DeskCell } from '@/features/visits/session/desk-cell'
import { PinnedDialog } from '@/features/visits/parts/pinned-dialog'
import { inBackground } from '@/in-background'
import { messages } from '@/staff-messages'
import { useToast } from '@/ui/toasts'
import { figuresPage } from './figures-address'
import { Loaded } from './loaded'

/** The accounts, with the desks and the skills of the consultants. */
export function StaffTab() {
  const user = useUser()
  const { timeZone } = useOffice()
  const consultants = useQuery(consultantsQuery)
  const accounts = useQuery(accountsQuery)
  const line = useQuery(lineQuery)
  const visits = useQuery(todayQuery())
  const toast = useToast()
  const [leaving, setLeaving] = useState<{ staff: Staff; deactivate: () => void }>()

  const pinnedTo = (id: string) =>
    (line.data?.line ?? [])
      .filter(({ pinnedTo: to }) => to?.id === id)
      .map((place) => ({ id: place.visitId, token: place.token, version: place.version }))
  const deskNow = (id: string) => line.data?.desks.find(({ consultantId }) => consultantId === id)
  const isFree = (id: string) => {
    const desk = deskNow(id)
    return desk?.state === 'open' && !desk.visit
  }
  const deskOf = (id: string) => {
    const desk = deskNow(id)
    return desk ? <DeskCell desk={desk} pinned={pinnedTo(id)} timeZone={timeZone} /> : null
  }
  const left = (staff: Staff) => leftBehind(staff, visits.data ?? [], line.data)
  /** If the line is not loaded yet, a press waits for it. */
  const check = async (staff: Staff, deactivate: () => void) => {
    const [today, now] = await Promise.all([
      visits.data ? visits : visits.refetch({ cancelRefetch: false }),
      line.data ? line : line.refetch({ cancelRefetch: false }),
    ])
    if (!today.data || !now.data) toast.error(messages.life.line.loadFailed)
    else if (leftBehind(staff, today.data, now.data).length === 0) deactivate()
    else setLeaving({ staff, deactivate })
  }
  const onDeactivate = (staff: Staff, deactivate: () => void) => {
    if (staff.role === 'consultant') inBackground(check(staff, deactivate))
    else deactivate()
  }

  return (
    <>
      <Loaded query={accounts} failure={messages.visits.loadFailed} title={messages.directory.staff.title}>
        {(list) => (
          <StaffTable
            staff={list && staffOf(list, consultants.data ?? [])}
            ownId={user.id}
            pageOf={(of) => figuresPage('consultant', of)}
            deskOf={deskOf}
            isFree={isFree}
            skills={<Skills />}
            onDeactivate={onDeactivate}
          />
        )}
      </Loaded>
      {leaving ? (
        <PinnedDialog
          desk={{ consultantId: leaving.staff.id, name: leaving.staff.name }}
          pinned={left(leaving.staff)}
          own={false}
          leaving
          onDone={leaving.deactivate}
          onClose={() => setLeaving(undefined)}
        />
      ) : null}
    </>
  )
}

/** The button that opens the grid, shown once the grid has rows and columns. */
function Skills() {
  const consultants = useQuery(consultantsQuery)
  const services = useQuery(servicesQuery)
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button disabled={!consultants.data || !services.data} onClick={() => setOpen(true)}>
        {messages.life.skills.open}
      </Button>
      {open && consultants.data && services.data ? (
        <SkillsGrid
          consultants={consultants.data.filter(({ isActive }) => isActive)}
          services={services.data.filter(({ active }) => active)}
          suits={suits}
          onClose={() => setOpen(false)}
        />
      ) : null}
    </>
  )
}
