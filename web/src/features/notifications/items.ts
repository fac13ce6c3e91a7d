import { useQuery } from '@tanstack/react-query'
import type { AlertIcon } from '@/live/alerts'
import { senderOf } from '@/live/sender'
import { messages } from '@/staff-messages'
import type { IconName } from '@/ui/icon'
import { useAlerts } from './alerts'
import { receivedQuery } from './queries'

export type Item = {
  id: string
  title: string
  text: string
  icon: IconName | AlertIcon
  /** Time of arrival; a tip has none. */
  at: string | null
  unread: boolean
}

const { tips } = messages.notifications

const builtIn: readonly Omit<Item, 'unread'>[] = [
  { id: 'tip.register', title: tips.register.title, text: tips.register.text, icon: 'user', at: null },
  { id: 'tip.alerts', title: tips.alerts.title, text: tips.alerts.text, icon: 'bell', at: null },
  { id: 'tip.theme', title: tips.theme.title, text: tips.theme.text, icon: 'sun', at: null },
]

/** All items of the bell: alerts of this tab session and received notifications, newest first, then the three tips. */
export function useNotifications() {
  const { list, seen, see } = useAlerts()
  const { data: received = [] } = useQuery(receivedQuery)
  const withState = (item: Omit<Item, 'unread'>): Item => ({ ...item, unread: !seen.has(item.id) })

  const own = list
    .filter(({ icon }) => icon !== 'bell')
    .map(({ id, text, detail, icon, at }) => ({ id, title: text, text: detail, icon, at }))
  const sent = received.map(({ id, message, sender, senderRole, createdAt }) => ({
    id,
    title: message,
    text: senderOf(sender, senderRole),
    icon: 'bell' as const,
    at: createdAt,
  }))
  const alerts = [...own, ...sent].sort((one, other) => other.at.localeCompare(one.at)).map(withState)
  const firstRun = builtIn.map(withState)
  return {
    alerts,
    tips: firstRun,
    unread: [...alerts, ...firstRun].filter((item) => item.unread).length,
    see,
  }
}
