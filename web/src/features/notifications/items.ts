import { useQuery } from '@tanstack/react-query'
import type { AlertIcon } from '@/live/alerts'
import { fill, messages } from '@/messages'
import type { IconName } from '@/ui/icon'
import { useAlerts } from './alerts'
import { receivedQuery } from './queries'

export type Item = {
  id: string
  title: string
  text: string
  icon: IconName | AlertIcon
  /** When it came; a tip was always there. */
  at: string | null
  unread: boolean
}

const { tips } = messages.notifications

const builtIn: readonly Omit<Item, 'unread'>[] = [
  { id: 'tip.register', title: tips.register.title, text: tips.register.text, icon: 'user', at: null },
  { id: 'tip.alerts', title: tips.alerts.title, text: tips.alerts.text, icon: 'bell', at: null },
  { id: 'tip.theme', title: tips.theme.title, text: tips.theme.text, icon: 'sun', at: null },
]

/** Everything the bell counts: alerts of this sitting and what colleagues sent, newest first, and the three tips. */
export function useNotifications() {
  const { list, seen, see } = useAlerts()
  const { data: received = [] } = useQuery(receivedQuery)
  const withState = (item: Omit<Item, 'unread'>): Item => ({ ...item, unread: !seen.has(item.id) })

  const own = list
    .filter(({ icon }) => icon !== 'bell')
    .map(({ id, text, detail, icon, at }) => ({ id, title: text, text: detail, icon, at }))
  const sent = received.map(({ id, message, sender, createdAt }) => ({
    id,
    title: message,
    text: fill(messages.notifications.from, { name: sender }),
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
