import { Form, type FormInstance } from 'antd'
import { lazy, Suspense } from 'react'
import { messages } from '@/staff-messages'
import type { NewVisit } from './mutations'
import type { ServiceChoice } from './service-select'

const Checklist = lazy(async () => ({ default: (await import('./checklist')).Checklist }))

type Props = { form: FormInstance<NewVisit>; services: readonly ServiceChoice[] }

/** The checklist of the chosen service. Until something is ticked, nothing is sent. */
export function PapersField({ form, services }: Props) {
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
