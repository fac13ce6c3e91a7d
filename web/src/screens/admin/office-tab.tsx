import { Select } from 'antd'
import { Link, useSearchParams } from 'react-router'
import { messages } from '@/admin-messages'
import { chunk } from '@/chunk'
import { useIsPhone } from '@/ui/use-is-phone'
import { withSettingsTexts } from './settings/settings-texts'
import { Views } from './views'
import './office-tab.css'

const text = messages.office

const SettingsPage = chunk(
  async () => (await withSettingsTexts(() => import('./settings/settings-page'))).SettingsPage,
)
const AppointmentsPage = chunk(async () => (await import('./appointments-page')).AppointmentsPage)
const WaitingRoomPage = chunk(async () => (await import('./waiting-room-page')).WaitingRoomPage)
const MessagesPage = chunk(async () => (await import('./messages-page')).MessagesPage)
const DueDatesPage = chunk(async () => (await import('./due-dates-page')).DueDatesPage)
const PrivacyPage = chunk(async () => (await import('./privacy-page')).PrivacyPage)

/** The pages, in the order of the list. The tab opens with the first. */
const pages = [
  { key: 'settings', label: text.list.settings, content: <SettingsPage /> },
  { key: 'appointments', label: text.list.appointments, content: <AppointmentsPage /> },
  { key: 'waiting-room', label: text.list.waitingRoom, content: <WaitingRoomPage /> },
  { key: 'messages', label: text.list.messages, content: <MessagesPage /> },
  { key: 'due-dates', label: text.list.dueDates, content: <DueDatesPage /> },
  { key: 'privacy', label: text.list.privacy, content: <PrivacyPage /> },
] as const

type Props = {
  /** The page that the address names. */
  page: string | null | undefined
}

/** What the office is set up with and answers for: a list of pages, on a phone a select, and the chosen page. */
export function OfficeTab({ page }: Props) {
  const phone = useIsPhone()
  const shown = (pages.find(({ key }) => key === page) ?? pages[0]).key
  return (
    <div className="office">
      {phone ? <PageSelect shown={shown} /> : <PageList shown={shown} />}
      <div>
        <Views views={pages} shown={shown} />
      </div>
    </div>
  )
}

const addressOf = (page: string) => ({ tab: 'office', page })

function PageList({ shown }: { shown: string }) {
  return (
    <nav className="side-list place-links" aria-label={text.tab}>
      <ul>
        {pages.map(({ key, label }) => (
          <li key={key}>
            <Link
              to={{ search: new URLSearchParams(addressOf(key)).toString() }}
              replace
              aria-current={key === shown ? 'page' : undefined}
            >
              {label}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}

function PageSelect({ shown }: { shown: string }) {
  const [, setSearch] = useSearchParams()
  return (
    <Select
      aria-label={text.tab}
      options={pages.map(({ key, label }) => ({ value: key, label }))}
      value={shown}
      onChange={(page) => setSearch(addressOf(page), { replace: true })}
    />
  )
}
