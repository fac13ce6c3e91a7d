import { serverNow } from '@/clock'
import { officeDay } from '@/features/office/office-day'
import { pageOffice } from '@/features/office/page-office'
import { formatLocale } from '@/messages'

/** The difference to the server's clock at the last contact, for a page that has none yet. */
let offset = 0

export const setOffset = (ms: number) => (offset = ms)

/** The time by the server's clock, as far as this desk knows it. */
export const now = (): Date => {
  const known = serverNow()
  return new Date(known === Date.now() ? known + offset : known)
}

const { timeZone } = pageOffice()

/** The office's day, as YYYY-MM-DD. */
export const today = (): string => officeDay(now(), timeZone)

/** A time as the office's screens show it. */
export const timeOf = (timestamp: string): string =>
  new Intl.DateTimeFormat(formatLocale, { timeZone, hour: 'numeric', minute: '2-digit' }).format(
    new Date(timestamp),
  )
