import type { Visit } from '@/api/types'
import { fill } from '@/messages'
import { messages } from '@/staff-messages'
import { usePaperNames } from '@/ui/paper-words'
import './papers.css'

type Props = { of: Pick<Visit, 'service'> & Partial<Pick<Visit, 'documents'>> }

/** The needed papers that the visitor does not have along; nothing when none are missing or none were noted. */
export function MissingPapers({ of: { service, documents } }: Props) {
  const nameOf = usePaperNames(service.id)
  const missing = documents?.missing ?? []
  if (missing.length === 0) return null
  return (
    <small className="missing-papers">
      {fill(messages.papers.missing, { papers: missing.map(nameOf).join(', ') })}
    </small>
  )
}
