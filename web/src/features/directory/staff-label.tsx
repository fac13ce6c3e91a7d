import { useQuery } from '@tanstack/react-query'
import { messages as attention } from '@/attention-messages'
import { counted, fill, plural } from '@/messages'
import { messages } from '@/staff-messages'
import { waitingQuery } from './queries'
import '@/ui/count-tabs.css'

const label = messages.admin.tabs.staff

/** The label of the tab Staff, with the number of people who wait for approval. */
export function StaffLabel() {
  const { data } = useQuery(waitingQuery)
  const count = data?.length ?? 0
  if (count === 0) return label
  return (
    <>
      <span aria-hidden="true">
        {label} <span className="count-tab-count">{counted(count)}</span>
      </span>
      <span className="visually-hidden">{fill(plural(attention.people.badge, count), { count })}</span>
    </>
  )
}
