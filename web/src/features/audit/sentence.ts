import { messages as adminMessages } from '@/admin-messages'
import type { AuditRecord } from '@/api/types'
import { dueName } from '@/ui/due-name'
import { fill } from '@/messages'

const text = adminMessages.trailWords

/**
 * The sentence of a record; null if the kind of record or the action has no sentence, or if the audit service does not
 * know the visit yet.
 */
export function sentenceOf(record: AuditRecord, names: ReadonlyMap<string, string>): string | null {
  const { entity, entityId, action, user } = record
  const who = user.name || adminMessages.auditRecords.trail.system
  if (entity === 'visit') return visitSentence(record, who)
  if (entity === 'visit_documents') {
    return visitSentence({ ...record, action: ofPapers[action] ?? 'papers' }, who)
  }
  if (entity === 'consent') {
    const told = textOf(record.newValues?.purpose) === 'serve' ? 'told' : 'agreed'
    return visitSentence({ ...record, action: action === 'withdrawn' ? 'withdrew' : told }, who)
  }
  if (entity === 'session' && isKeyOf(text.session, action)) {
    // A failed sign-in has no known user, and an admin may end another user's session: the person in these
    // sentences is found by `entityId`.
    const own = action === 'signed_in' || action === 'signed_out'
    return fill(text.session[action], { who: own ? who : (names.get(entityId) ?? entityId) })
  }
  if (entity === 'privacy' && isKeyOf(text.privacy, action)) return fill(text.privacy[action], { who })
  if (entity === 'due_date' && isKeyOf(text.due_date, action)) {
    return fill(text.due_date[action], { who, title: dueName(textOf(record.newValues?.title)) })
  }
  if (entity === 'link' && isKeyOf(text.link, action)) return fill(text.link[action], { who })
  if (entity === 'device' && isKeyOf(text.device, action)) {
    return fill(text.device[action], { who, name: textOf(record.newValues?.name) })
  }
  if (entity === 'voice_pack' && isKeyOf(text.voice_pack, action)) {
    return fill(text.voice_pack[action], { who })
  }
  if (entity === 'office' && isKeyOf(text.office, action)) return fill(text.office[action], { who })
  if (entity === 'arrival' && isKeyOf(text.arrival, action)) return fill(text.arrival[action], { who })
  if (entity === 'message' && isKeyOf(text.message, action)) {
    return fill(text.message[action], { channel: textOf(record.newValues?.channel) })
  }
  if (entity === 'audit' && action === 'read') return fill(text.reading, { who })
  if (entity === 'export') return fill(text.export, { who })
  if (entity === 'access') return fill(text.denied, { who })
  return null
}

/** The key of the sentence for an action on papers. */
const ofPapers: Partial<Record<string, string>> = { erased: 'erased', acknowledged: 'receipt' }

type OfVisit = Pick<AuditRecord, 'visit' | 'newValues'> & { action: string }

function visitSentence({ action, visit, newValues }: OfVisit, who: string): string | null {
  if (!visit || !isKeyOf(text.visit, action)) return null
  const consultant = textOf(newValues?.consultantName)
  const key =
    consultant && (action === 'approved' || action === 'transferred') ? (`${action}For` as const) : action
  return fill(text.visit[key], {
    who,
    token: visit.token,
    name: visit.name || text.someone,
    consultant,
    also: textOf(newValues?.tokenAlso),
  })
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : '')

const isKeyOf = <T extends object>(object: T, key: string): key is keyof T & string =>
  Object.hasOwn(object, key)
