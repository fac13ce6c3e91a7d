import type { AuditRecord } from '@/api/types'
import { fill } from '@/messages'
import { messages } from '@/admin-messages'

const text = messages.auditRecords.history

/** `service` is the service's name as the office entered it, or empty. */
type Step = { title: string; service: string; facts: string[]; notes: string }

const textOf = (value: unknown) => (typeof value === 'string' ? value : '')

/** Converts an audit record of a visit to a step, with the notes of the latest stage in the record. */
export function stepOf({ action, newValues }: Pick<AuditRecord, 'action' | 'newValues'>): Step {
  const {
    serviceName,
    consultantName,
    receptionNotes,
    paNotes,
    sessionNotes,
    waitMinutes,
    durationMinutes,
    override,
  } = newValues ?? {}
  const facts = [
    consultantName ? fill(text.assigned, { name: textOf(consultantName) }) : '',
    typeof waitMinutes === 'number' ? fill(text.waited, { minutes: waitMinutes }) : '',
    typeof durationMinutes === 'number' ? fill(text.lasted, { minutes: durationMinutes }) : '',
    override === true ? text.override : '',
  ]
  return {
    title: Object.hasOwn(text.steps, action) ? text.steps[action as keyof typeof text.steps] : action,
    service: textOf(serviceName),
    facts: facts.filter(Boolean),
    notes: textOf(sessionNotes) || textOf(paNotes) || textOf(receptionNotes),
  }
}
