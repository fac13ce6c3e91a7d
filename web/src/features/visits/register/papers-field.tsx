import { Form, type FormInstance } from 'antd'
import { lazy, Suspense, useEffect } from 'react'
import type { NewVisit } from '@/api/types'
import type { ServiceChoice } from '@/features/visits/data/action-context'
import { messages } from '@/staff-messages'

const load = () => import('./checklist')

/** Without a connection, a visitor is registered without ticks. */
const missing: Pick<Awaited<ReturnType<typeof load>>, 'Checklist'> = { Checklist: () => <></> }

const Checklist = lazy(async () => ({ default: (await load().catch(() => missing)).Checklist }))

type Props = { form: FormInstance<NewVisit>; services: readonly ServiceChoice[] }

/** The checklist of the chosen service. It is sent once a paper is ticked. */
export function PapersField({ form, services }: Props) {
  useEffect(() => {
    load().catch(() => undefined) // The next choice of a service tries again.
  }, [])
  const chosen = Form.useWatch('serviceId', form)
  const { papers = [] } = services.find(({ id }) => id === chosen) ?? {}
  if (papers.length === 0) return null
  return (
    <Suspense fallback={null}>
      <Form.Item name="documents" label={messages.papers.title}>
        <Checklist papers={[...papers]} />
      </Form.Item>
    </Suspense>
  )
}
