import { createContext, use } from 'react'
import { fill, messages } from '@/messages'
import { minutesBetween, useNow, useOfficeTime } from './office-time'

/** The time up to which the screen is certainly current; undefined while live updates arrive. */
export const DataAgeContext = createContext<string | undefined>(undefined)

const text = messages.live

export function DataAge() {
  const since = use(DataAgeContext)
  return since ? <Age since={since} /> : null
}

function Age({ since }: { since: string }) {
  const time = useOfficeTime().time(since)
  const minutes = minutesBetween(since, useNow(10_000))
  return (
    <span className="small-text">
      {minutes === 0 ? fill(text.lastUpdate, { time }) : fill(text.lastUpdateAgo, { time, minutes })}
    </span>
  )
}
