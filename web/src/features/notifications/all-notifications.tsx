import { useState } from 'react'
import type { Item } from './items'
import { NotificationList } from './notification-list'
import { Pages } from '@/ui/pages'

const shownAtOnce = 20

/** The full list, page by page; the tips follow the last alert. */
export function AllNotifications({ alerts, tips }: { alerts: readonly Item[]; tips: readonly Item[] }) {
  const [page, setPage] = useState(1)
  const pages = Math.max(1, Math.ceil(alerts.length / shownAtOnce))
  const start = (Math.min(page, pages) - 1) * shownAtOnce
  return (
    <>
      <NotificationList
        alerts={alerts.slice(start, start + shownAtOnce)}
        tips={start + shownAtOnce >= alerts.length ? tips : []}
      />
      {pages > 1 ? (
        <Pages
          className="notification-pages"
          size="small"
          pageSize={shownAtOnce}
          current={Math.min(page, pages)}
          total={alerts.length}
          onChange={setPage}
        />
      ) : null}
    </>
  )
}
