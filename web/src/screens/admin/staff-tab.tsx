import { useQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import { useState } from 'react'
import { useUser } from '@/features/auth/gate'
import { staffOf, type Staff } from '@/features/directory/models'
import { accountsQuery, consultantsQuery, servicesQuery } from '@/features/directory/queries'
import { SkillsGrid } from '@/features/directory/skills-grid'
import { StaffTable } from '@/features/directory/staff-table'
import { WaitingPeople } from '@/features/directory/waiting-people'
import { useOffice } from '@/features/office/use-office'
import { suits } from '@/features/visits/data/consultant-choice'
import { leftBehind } from '@/features/visits/data/left-behind'
import { lineQuery, todayQuery } from '@/features/visits/data/queries'
import { DeskDialog } from '@/features/visits/parts/desk-dialog'
import { DeskState } from '@/features/visits/parts/desk-state'
import { PinnedDialog } from '@/features/visits/parts/pinned-dialog'
import { inBackground } from '@/in-background'
import { messages } from '@/staff-messages'
import { useToast } from '@/ui/toasts'
import { figuresPage } from './figures-address'
import { Loaded } from './loaded'
import { OpenRegistration } from './settings/open-registration'

export function StaffTab() {
  const user = useUser()
  const { timeZone } = useOffice()
  const consultants = useQuery(consultantsQuery)
  const accounts = useQuery(accountsQuery)
  const line = useQuery(lineQuery)
  const { leaving, onLeave, stay } = useLeaving()
  const [changing, setChanging] = useState<string>()

  const pinnedTo = (id: string) =>
    (line.data?.line ?? [])
      .filter(({ pinnedTo: to }) => to?.id === id)
      .map((place) => ({ id: place.visitId, token: place.token, version: place.version }))
  const deskOf = (id: string) => line.data?.desks.find(({ consultantId }) => consultantId === id)
  const isFree = (id: string) => {
    const desk = deskOf(id)
    return desk?.state === 'open' && !desk.visit
  }
  const stateOf = (id: string) => {
    const desk = deskOf(id)
    return desk ? <DeskState desk={desk} /> : null
  }
  const changed = changing === undefined ? undefined : deskOf(changing)

  return (
    <>
      <OpenRegistration />
      <WaitingPeople />
      <Loaded query={accounts} failure={messages.visits.loadFailed} title={messages.directory.staff.title}>
        {(list) => (
          <StaffTable
            staff={list && staffOf(list, consultants.data ?? [])}
            ownId={user.id}
            pageOf={(of) => figuresPage('consultant', of)}
            stateOf={stateOf}
            isFree={isFree}
            skills={<Skills />}
            onChangeDesk={setChanging}
            onLeave={onLeave}
          />
        )}
      </Loaded>
      {changed ? (
        <DeskDialog
          desk={changed}
          pinned={pinnedTo(changed.consultantId)}
          timeZone={timeZone}
          own={false}
          onClose={() => setChanging(undefined)}
        />
      ) : null}
      {leaving ? (
        <PinnedDialog
          desk={{ consultantId: leaving.staff.id, name: leaving.staff.name }}
          pinned={leaving.visitors}
          own={false}
          leaving
          onDone={leaving.go}
          onClose={stay}
        />
      ) : null}
    </>
  )
}

/** The consultant whose visitors have to go elsewhere before the account is deactivated or gets another role. */
function useLeaving() {
  const visits = useQuery(todayQuery())
  const line = useQuery(lineQuery)
  const toast = useToast()
  const [asked, setAsked] = useState<{ staff: Staff; go: () => void }>()

  /** A press waits until the visits and the line are loaded. */
  const check = async (staff: Staff, go: () => void) => {
    const [today, now] = await Promise.all([
      visits.data ? visits : visits.refetch({ cancelRefetch: false }),
      line.data ? line : line.refetch({ cancelRefetch: false }),
    ])
    if (!today.data || !now.data) toast.error(messages.life.line.loadFailed)
    else if (leftBehind(staff, today.data, now.data).length === 0) go()
    else setAsked({ staff, go })
  }
  return {
    leaving: asked && { ...asked, visitors: leftBehind(asked.staff, visits.data ?? [], line.data) },
    onLeave: (staff: Staff, go: () => void) => {
      if (staff.role === 'consultant') inBackground(check(staff, go))
      else go()
    },
    stay: () => setAsked(undefined),
  }
}

/** The button that opens the grid of skills, disabled until the consultants and the services are loaded. */
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
