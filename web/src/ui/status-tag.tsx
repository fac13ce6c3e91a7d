import type { ReactNode } from 'react'
import { messages } from '@/messages'
import type { VisitStatus } from '@/theme/palette'
import './status-tag.css'

/** Five shapes that are distinct in greyscale: dashed ring, half disc, three bars, tick, cross in an octagon. */
const glyphs: Record<VisitStatus, ReactNode> = {
  new: <circle cx="8" cy="8" r="6" strokeDasharray="2.6 2.1" />,
  approved: (
    <>
      <circle cx="8" cy="8" r="6" />
      <path d="M8 2a6 6 0 0 1 0 12z" fill="currentColor" stroke="none" />
    </>
  ),
  'in-session': <path d="M3 6.5v3M8 3v10M13 5.5v5" strokeLinecap="round" />,
  completed: <path d="M2.5 8.5l3.5 3.5 7.5-8" strokeLinecap="square" />,
  denied: (
    <path
      d="M5.3 1.5h5.4l3.8 3.8v5.4l-3.8 3.8H5.3l-3.8-3.8V5.3zM5.7 5.7l4.6 4.6M10.3 5.7l-4.6 4.6"
      strokeWidth="1.7"
    />
  ),
}

const { words } = messages.problems

/** A visit's status. In English the text is the status value; CSS capitalises its first letter. */
export function StatusTag({ status, label = words[status] }: { status: VisitStatus; label?: string }) {
  return (
    <Tag className={`status-${status}`} status={status} stage={undefined} glyph={glyphs[status]}>
      {label}
    </Tag>
  )
}

/** A bell with two waves. */
const bell = (
  <path d="M4.5 10.5V7a3.5 3.5 0 0 1 7 0v3.5l1 1.2h-9zM6.8 14h2.4M2.2 2.6A6 6 0 0 0 .9 6M13.8 2.6A6 6 0 0 1 15.1 6" />
)

/** A called visit's tag; other approved visits have another. `late`: the visitor should be there by now. */
export function CallTag({ late = false, children }: { late?: boolean; children: ReactNode }) {
  return (
    <Tag
      className={late ? 'status-call status-call-late' : 'status-call'}
      status="approved"
      stage="called"
      glyph={bell}
    >
      {children}
    </Tag>
  )
}

type TagProps = {
  className: string
  status: VisitStatus
  stage: string | undefined
  glyph: ReactNode
  children: ReactNode
}

const Tag = ({ className, status, stage, glyph, children }: TagProps) => (
  <span className={`status-tag ${className}`} data-status={status} data-stage={stage}>
    <svg
      width="14"
      height="14"
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      strokeWidth="2"
      aria-hidden="true"
    >
      {glyph}
    </svg>
    <span className="status-word">{children}</span>
  </span>
)
