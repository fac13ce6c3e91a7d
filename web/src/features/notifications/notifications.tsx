import { Badge, Button, Drawer, Modal, Pagination } from 'antd'
import { lazy, Suspense, useState } from 'react'
import { fill, messages } from '@/messages'
import { Icon } from '@/ui/icon'
import { minutesBetween, useNow, useOfficeTime } from '@/ui/office-time'
import { DialogRegion } from '@/ui/panel'
import { useNotifications, type Item } from './items'
import './notifications.css'

// Loaded when it opens.
const SendNotification = lazy(async () => ({
  default: (await import('./send-notification')).SendNotification,
}))

const shownFirst = 8
const shownAtOnce = 20
const text = messages.notifications

/** The bell of the top bar, its drawer and the full list, and for some roles the dialog that sends one. */
export function Notifications({ maySend }: { maySend: boolean }) {
  const [open, setOpen] = useState(false)
  const [all, setAll] = useState(false)
  const [sending, setSending] = useState(false)
  const { alerts, tips, unread, see } = useNotifications()

  const close = () => {
    see([...alerts, ...tips].map(({ id }) => id))
    setOpen(false)
  }
  const send = () => {
    close()
    setSending(true)
  }
  const viewAll = () => {
    close()
    setAll(true)
  }

  return (
    <>
      <button
        type="button"
        className="bar-button"
        aria-label={fill(text.open, { count: unread })}
        onClick={() => setOpen(true)}
      >
        {/* Another number is another badge: one that grows would move. */}
        <Badge key={unread} count={unread} size="small" offset={[-2, 2]}>
          <Icon name="bell" size={22} />
        </Badge>
      </button>
      <Drawer
        open={open}
        onClose={close}
        title={text.title}
        closable={{ placement: 'end', 'aria-label': text.close }}
        size={420}
        rootClassName="notification-drawer"
        footer={
          <>
            {maySend ? (
              <Button block size="large" icon={<Icon name="send" size={18} />} onClick={send}>
                {text.send}
              </Button>
            ) : null}
            <Button block size="large" onClick={viewAll}>
              {text.all}
            </Button>
          </>
        }
      >
        <DialogRegion label={text.title}>
          <NotificationList alerts={alerts.slice(0, shownFirst)} tips={tips} />
        </DialogRegion>
      </Drawer>
      {sending ? (
        <Suspense fallback={null}>
          <SendNotification onClose={() => setSending(false)} />
        </Suspense>
      ) : null}
      <Modal
        open={all}
        onCancel={() => setAll(false)}
        title={text.allTitle}
        footer={null}
        width={560}
        className="notification-all"
        destroyOnHidden
      >
        <DialogRegion label={text.allTitle}>
          <AllNotifications alerts={alerts} tips={tips} />
        </DialogRegion>
      </Modal>
    </>
  )
}

/** The full list, page by page; the tips follow the last alert. */
function AllNotifications({ alerts, tips }: { alerts: readonly Item[]; tips: readonly Item[] }) {
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
        <Pagination
          className="notification-pages"
          size="small"
          showSizeChanger={false}
          pageSize={shownAtOnce}
          current={Math.min(page, pages)}
          total={alerts.length}
          onChange={setPage}
        />
      ) : null}
    </>
  )
}

function NotificationList({ alerts, tips }: { alerts: readonly Item[]; tips: readonly Item[] }) {
  return (
    <>
      {alerts.length > 0 ? (
        <ul>
          {alerts.map((item) => (
            <NotificationItem key={item.id} item={item} />
          ))}
        </ul>
      ) : (
        <p className="notification-none">{text.none}</p>
      )}
      {tips.length > 0 ? (
        <>
          <h3 className="notification-section">{text.firstRun}</h3>
          <ul>
            {tips.map((item) => (
              <NotificationItem key={item.id} item={item} />
            ))}
          </ul>
        </>
      ) : null}
    </>
  )
}

function NotificationItem({ item }: { item: Item }) {
  return (
    <li className={item.unread ? 'notification notification-unread' : 'notification'}>
      <span className="notification-icon">
        <Icon name={item.icon} size={18} />
      </span>
      <b>
        {item.title}
        {item.unread ? <span className="visually-hidden"> {text.unread}</span> : null}
      </b>
      {item.at ? <Age at={item.at} /> : <span className="notification-age">{text.tip}</span>}
      <p>{item.text}</p>
    </li>
  )
}

const hour = 60

function Age({ at }: { at: string }) {
  const time = useOfficeTime()
  const minutes = minutesBetween(at, useNow(30_000))
  return (
    <time className="notification-age" dateTime={at}>
      {minutes < hour ? fill(text.minutesAgo, { minutes }) : time.time(at)}
    </time>
  )
}
