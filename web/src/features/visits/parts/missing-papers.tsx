import type { Visit } from '@/api/types'
import { fill } from '@/messages'
import { messages } from '@/staff-messages'
import { Icon } from '@/ui/icon'
import { usePaperNames } from '@/ui/paper-words'
import './papers.css'

type Props = { of: Pick<Visit, 'service'> & Partial<Pick<Visit, 'documents'>> }

/** The required papers that the visitor has not brought. Not rendered if none are missing or none were recorded. */
export function MissingPapers({ of }: Props) {
  const { text } = useMissing(of)
  return text === '' ? null : (
    <p className="missing-papers">
      <Icon name="file" size={16} />{' '}
      <span className="missing-papers-names" title={text}>
        {text}
      </span>
    </p>
  )
}

/** The number of missing papers, for rows that have no line with the names of the papers. */
export function MissingMark({ of }: Props) {
  const { count, text } = useMissing(of)
  return text === '' ? null : (
    <abbr className="missing-mark" title={text}>
      <Icon name="file" size={14} />
      <span aria-hidden="true">{count}</span>
      <span className="visually-hidden">{text}</span>
    </abbr>
  )
}

function useMissing({ service, documents }: Props['of']) {
  const nameOf = usePaperNames(service.id)
  const missing = documents?.missing ?? []
  const papers = missing.map((paper) => nameOf(paper)).join(', ')
  return { count: missing.length, text: papers === '' ? '' : fill(messages.papers.missing, { papers }) }
}
