import { useSyncExternalStore } from 'react'
import { serverNow } from '@/clock'
import { officeClock, officeDay } from './office-day'

const checkEveryMs = 5_000

function subscribe(listener: () => void) {
  const timer = setInterval(listener, checkEveryMs)
  return () => clearInterval(timer)
}

/** The office's day (YYYY-MM-DD) and time of day (HH:MM) by the server's clock, also in a page that stays open. */
export function useOfficeMinute(timeZone: string): { today: string; time: string } {
  const minute = useSyncExternalStore(subscribe, () => {
    const now = new Date(serverNow())
    return `${officeDay(now, timeZone)} ${officeClock(now, timeZone)}`
  })
  const [today = '', time = ''] = minute.split(' ')
  return { today, time }
}
