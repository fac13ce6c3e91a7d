import { Suspense, useEffect } from 'react'
import { chunk } from '@/chunk'
import { inBackground } from '@/in-background'
import { fill } from '@/messages'
import { messages } from '@/staff-messages'
import type { ShownProps } from './shown-ticket'

const load = () => import('./shown-ticket')
const ShownTicket = chunk(async () => (await load()).ShownTicket)

type Props = Omit<ShownProps, 'visit'> & { visit: ShownProps['visit'] | null }

/** The ticket of a visit: animated, announced to screen readers, and printed on request. */
export function IssuedTicket({ visit, ...shown }: Props) {
  // The module of the ticket is not in the first load. It is loaded before the first visitor comes.
  useEffect(() => inBackground(load()), [])
  return (
    <>
      <p className="visually-hidden" aria-live="polite">
        {visit ? fill(messages.visits.form.announced, { token: visit.token, name: visit.name }) : null}
      </p>
      {visit ? (
        <Suspense fallback={null}>
          <ShownTicket visit={visit} {...shown} />
        </Suspense>
      ) : null}
    </>
  )
}
