import type { LiveEvent, NotificationType, Role } from '@/api/types'
import { fill, messages } from '@/messages'
import { senderOf } from './sender'

/** The toast of a live event, and its entry in the list of the bell. Only the entry shows `detail`. */
export type Alert = { text: string; detail: string; kind: NotificationType; icon: AlertIcon; seconds: number }

export type AlertIcon = 'ticket' | 'x' | 'play' | 'check' | 'bell'

/** The roles that each event alerts. The server filters notifications by the roles that the sender chose. */
const audience: Partial<Record<LiveEvent['type'], readonly Role[]>> = {
  visit_created: ['pa', 'admin'],
  visit_approved: ['reception', 'consultant'],
  visit_denied: ['reception'],
  visit_called: ['reception', 'pa'],
  visit_in_session: ['reception', 'pa', 'admin'],
  visit_completed: ['reception', 'pa', 'admin'],
  notification: ['reception', 'pa', 'consultant', 'admin'],
}

const long = 5
const short = 3

type NameOf = (service: string) => string

const asNamed: NameOf = (service) => service

/** The toast of an event for a role; null if it has none. `nameOf` returns the name of the service. */
export function alertOf(event: LiveEvent, role: string, nameOf = asNamed): Alert | null {
  return audience[event.type]?.some((one) => one === role) ? words(event, nameOf) : null
}

function words(event: LiveEvent, nameOf: NameOf): Alert | null {
  const { live } = messages
  switch (event.type) {
    case 'visit_created': {
      const { token, name, service } = event.data
      const text = fill(live.newVisit, { token, name, service: nameOf(service) })
      return { text, detail: '', kind: 'info', icon: 'ticket', seconds: long }
    }
    case 'visit_approved': {
      const { token, assignedConsultant: consultant, service } = event.data
      const text = fill(live.approved, { token, consultant: consultant ?? live.nextFree })
      return { text, detail: nameOf(service), kind: 'success', icon: 'ticket', seconds: long }
    }
    case 'visit_called': {
      const { token, assignedConsultant: consultant, counter, service } = event.data
      const text = counter
        ? fill(live.called, { token, consultant, counter })
        : fill(live.calledNowhere, { token, consultant })
      return { text, detail: nameOf(service), kind: 'info', icon: 'ticket', seconds: long }
    }
    case 'visit_denied':
      return { ...named(live.denied, event.data, nameOf), kind: 'warning', icon: 'x', seconds: long }
    case 'visit_in_session':
      return { ...named(live.started, event.data, nameOf), kind: 'info', icon: 'play', seconds: short }
    case 'visit_completed':
      return { ...named(live.completed, event.data, nameOf), kind: 'success', icon: 'check', seconds: short }
    case 'notification': {
      const { message, sender, senderRole, type } = event.data
      return { text: message, detail: senderOf(sender, senderRole), kind: type, icon: 'bell', seconds: long }
    }
    case 'connection':
    case 'heartbeat':
    case 'status_update':
      return null
  }
}

type Named = { token: string; name: string; service: string }

const named = (text: `${string}{token}${string}`, { token, name, service }: Named, nameOf: NameOf) => ({
  text: fill(text, { token }),
  detail: [name, nameOf(service)].filter(Boolean).join(', '),
})
