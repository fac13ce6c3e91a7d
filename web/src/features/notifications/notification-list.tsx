import { fill } from '@/messages'
import { messages } from '@/staff-messages'
import { Icon } from '@/ui/icon'
import { minutesBetween, useNow, useOfficeTime } from '@/ui/office-time'
import type { Item } from './items'
import './notifications.css'

const text = messages.notifications

export function NotificationList({ alerts, tips }: { alerts: readonly Item[]; tips: readonly Item[] }) {
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
