import { Button } from 'antd'
import type { ReactNode } from 'react'
import type { Visitor } from '@/api/types'
import { plural } from '@/messages'
import { messages } from '@/staff-messages'
import { Filled } from '@/ui/filled'
import { useOfficeTime } from '@/ui/office-time'
import { Kbd } from '@/ui/shortcuts'

type Props = {
  /** The visitor with this phone number, if known. */
  visitor: Visitor | null | undefined
  /** The name that was typed into the form. */
  typed: string
  /** Why the visitor could not be looked up. */
  missing: string | undefined
  onAccept: () => void
  /** Further details about this phone number. */
  children: ReactNode
}

const text = messages.visits.form

/** Shows earlier visits and offers the stored name. It is always rendered, so that screen readers announce changes. */
export function KnownVisitor({ visitor, typed, missing, onAccept, children }: Props) {
  const time = useOfficeTime()
  return (
    <div className="known-visitor" role="status">
      {visitor ? (
        <>
          <p>
            <Filled
              message={plural(text.known, visitor.visits)}
              values={{
                name: <b>{visitor.name}</b>,
                visits: visitor.visits,
                day: time.day(`${visitor.lastVisit}T12:00:00Z`),
              }}
            />
          </p>
          {typed === visitor.name ? null : (
            <Button size="small" onClick={onAccept}>
              {text.useName} {typed.trim() === '' ? <Kbd>{text.useNameKey}</Kbd> : null}
            </Button>
          )}
        </>
      ) : null}
      {missing ? <p>{missing}</p> : null}
      {children}
    </div>
  )
}
