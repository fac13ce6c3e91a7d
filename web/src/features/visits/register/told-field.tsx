import { Checkbox, Form, Select, type FormInstance } from 'antd'
import type { NewVisit } from '@/api/types'
import { meansOptions, usualMeans, type Means } from '@/features/visits/data/consents'
import { isWholePhone } from '@/features/visits/data/rules'
import { fill } from '@/messages'
import { messages } from '@/staff-messages'

const text = messages.consents

/**
 * How the visitor was given the notice, and whether messages are allowed. The box for messages is never preselected.
 */
export function ToldField({ form }: { form: FormInstance<NewVisit> }) {
  const phone = (Form.useWatch('phone', form) as string | undefined) ?? ''
  const allowed = isWholePhone(phone) ? fill(text.mayMessage, { phone }) : text.mayMessageVisitor
  return (
    <div className="visit-form-told">
      <Form.Item
        name="told_by"
        label={text.toldBy}
        getValueProps={(value?: Means) => ({ value: value ?? usualMeans })}
      >
        <Select<Means> options={meansOptions} popupMatchSelectWidth={false} />
      </Form.Item>
      <Form.Item name="messages" valuePropName="checked">
        <Checkbox>{allowed}</Checkbox>
      </Form.Item>
    </div>
  )
}
