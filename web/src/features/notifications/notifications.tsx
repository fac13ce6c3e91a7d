import { Button, Drawer, Modal } from 'antd'
import { Suspense, useRef, useState } from 'react'
import { chunk } from '@/chunk'
import { fill } from '@/messages'
import { messages } from '@/staff-messages'
import { Icon } from '@/ui/icon'
import { DialogRegion } from '@/ui/panel'
import { useNotifications } from './items'
import { NotificationList } from './notification-list'
import './notifications.css'

// The dialogs are loaded when they are first opened.
const AllNotifications = chunk(async () => (await import('./all-notifications')).AllNotifications)
const SendNotification = chunk(async () => (await import('./send-notification')).SendNotification)

const shownFirst = 8
const mostCounted = 99
const text = messages.notifications

/** The bell of the top bar, its drawer and the full list, and for some roles the dialog that sends a notification. */
export function Notifications({ maySend }: { maySend: boolean }) {
  const [open, setOpen] = useState(false)
  const [all, setAll] = useState(false)
  const [sending, setSending] = useState(false)
  const { alerts, tips, unread, see } = useNotifications()

  const close = () => {
    see([...alerts, ...tips].map(({ id }) => id))
    setOpen(false)
  }
  const bell = useRef<HTMLButtonElement>(null)
  /** Opens a dialog when the drawer has closed. The bell then has the focus, and gets it back from the dialog. */
  const follow = useRef<() => void>(undefined)
  const closeFor = (next: () => void) => {
    follow.current = next
    close()
  }
  const afterOpenChange = (opened: boolean) => {
    if (opened || !follow.current) return
    bell.current?.focus({ preventScroll: true })
    follow.current()
    follow.current = undefined
  }

  return (
    <>
      <button
        ref={bell}
        type="button"
        className="bar-button"
        aria-label={fill(text.open, { count: unread })}
        onClick={() => {
          follow.current = undefined
          setOpen(true)
        }}
      >
        <Icon name="bell" size={22} />
        {unread > 0 ? (
          <span className={unread > 9 ? 'bar-count bar-count-wide' : 'bar-count'} title={String(unread)}>
            {unread > mostCounted ? `${mostCounted}+` : unread}
          </span>
        ) : null}
      </button>
      <Drawer
        open={open}
        onClose={close}
        afterOpenChange={afterOpenChange}
        title={text.title}
        closable={{ placement: 'end', 'aria-label': text.close }}
        size={420}
        rootClassName="notification-drawer"
        footer={
          <>
            {maySend ? (
              <Button
                block
                size="large"
                icon={<Icon name="send" size={18} />}
                onClick={() => closeFor(() => setSending(true))}
              >
                {text.send}
              </Button>
            ) : null}
            <Button block size="large" onClick={() => closeFor(() => setAll(true))}>
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
          <Suspense fallback={null}>
            <AllNotifications alerts={alerts} tips={tips} />
          </Suspense>
        </DialogRegion>
      </Modal>
    </>
  )
}
