import { createContext, use } from 'react'
import { fill, messages } from '@/messages'
import { minutesBetween, useNow, useOfficeTime } from './office-time'

/** The moment up to which what is on the screen is surely true; undefined while every change is heard. */
export const DataAgeContext = createContext<string | undefined>(undefined)

const text = messages.live

/** How old the data is, while the connection is lost. */
export function DataAge() {
  const since = use(DataAgeContext)
  return since ? <Age since={since} /> : null
}

function Age({ since }: { since: string }) {
  const time = useOfficeTime().time(since)
  const minutes = minutesBetween(since, useNow(10_000))
  return (
    <span className="data-age">
      {minutes === 0 ? fill(text.lastUpdate, { time }) : fill(text.lastUpdateAgo, { time, minutes })}
    </span>
  )
}
