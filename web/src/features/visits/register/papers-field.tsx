import { Form, type FormInstance } from 'antd'
import { lazy, Suspense, useEffect } from 'react'
import type { NewVisit } from '@/api/types'
import type { ServiceChoice } from '@/features/visits/data/action-context'
import { messages } from '@/staff-messages'

const load = () => import('./checklist')

/** Without a line a visitor is registered without ticks. */
const missing: Pick<Awaited<ReturnType<typeof load>>, 'Checklist'> = { Checklist: () => <></> }

const Checklist = lazy(async () => ({ default: (await load().catch(() => missing)).Checklist }))

type Props = { form: FormInstance<NewVisit>; services: readonly ServiceChoice[] }

/** The checklist of the chosen service. Until something is ticked, nothing is sent. */
export function PapersField({ form, services }: Props) {
  useEffect(() => {
    load().catch(() => undefined) // again when a service is chosen
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
