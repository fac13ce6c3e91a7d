import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { serverNow } from '@/clock'
import { accountsQuery } from '@/features/directory/queries'
import { screensQuery } from '@/features/screens/queries'
import { SetupChecklist } from '@/features/settings/setup/checklist'
import { hasScreen, hasStaff, isFresh, itemsOf, type Step } from '@/features/settings/setup/items'
import { backupQuery, type Setup } from '@/features/settings/setup/query'
import { settled } from './settled'

const settings = (section: string) => `?tab=office&page=settings&section=${section}`

const addresses: Partial<Record<Step, string>> = {
  hours: settings('hours'),
  services: '?tab=services',
  people: '?tab=staff',
  desks: settings('desks'),
  screen: '?tab=office&page=waiting-room',
  notice: settings('notice'),
}

type Props = { setup: Setup; waiting: ReactNode; children: ReactNode }

/** The checklist, with what the accounts, the screens and the last backup say. */
export function FirstDayList({ setup, waiting, children }: Props) {
  // The server may know that all is done.
  const enabled = itemsOf(setup, {}).some(({ done }) => !done)
  const accounts = useQuery({ ...accountsQuery, enabled })
  const screens = useQuery({ ...screensQuery, enabled })
  const backup = useQuery({ ...backupQuery, enabled })
  const seen = {
    people: accounts.data && hasStaff(accounts.data),
    screen: screens.data && hasScreen(screens.data),
    backup: backup.data !== undefined && isFresh(backup.data, serverNow()),
  }
  const asked = [accounts, screens, backup]
  const items = itemsOf(setup, seen)
  if (!enabled) return children
  if (!asked.every(settled)) return waiting
  if (asked.some(({ isPending }) => isPending) || items.every(({ done }) => done)) return children
  return (
    <>
      <SetupChecklist items={items} addressOf={(step) => addresses[step]} />
      {children}
    </>
  )
}
