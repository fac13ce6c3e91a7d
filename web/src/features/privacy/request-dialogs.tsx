import { useMutation } from '@tanstack/react-query'
import { Form, Input, Radio, Select } from 'antd'
import { messages } from '@/admin-messages'
import type { Bodies } from '@/api/types'
import { showRejectedFields } from '@/api/rejected-fields'
import { fill } from '@/messages'
import { FormDialog } from '@/ui/form-dialog'
import { tenDigits } from '@/ui/ten-digits'
import { answerPrivacyRequest, receivePrivacyRequest } from './mutations'
import { phoneRules } from './phone-rules'
import type { PrivacyRequest } from './queries'

const text = messages.privacy.requests
const longestText = 500

const kinds = (['access', 'correction', 'erasure', 'grievance', 'nomination'] as const).map((value) => ({
  value,
  label: text.kinds[value],
}))

export function PrivacyRequestDialog({ onClose }: { onClose: () => void }) {
  const [form] = Form.useForm<Bodies['NewPrivacyRequest']>()
  const receive = useMutation(receivePrivacyRequest)
  return (
    <FormDialog<Bodies['NewPrivacyRequest']>
      name="privacy-request"
      title={text.add}
      submit={messages.privacy.save}
      form={form}
      values={{ kind: 'access' }}
      pending={receive.isPending}
      onSubmit={(body) =>
        receive.mutate(body, { onSuccess: onClose, onError: (error) => showRejectedFields(form, error) })
      }
      onClose={onClose}
    >
      <Form.Item name="kind" label={text.kind}>
        <Select options={kinds} autoFocus />
      </Form.Item>
      <Form.Item name="phone" label={text.phone} rules={phoneRules} normalize={tenDigits}>
        <Input type="tel" inputMode="numeric" autoComplete="off" />
      </Form.Item>
      <Form.Item
        name="text"
        label={text.text}
        rules={[{ required: true, whitespace: true, message: text.textRequired }]}
      >
        <Input.TextArea rows={3} maxLength={longestText} />
      </Form.Item>
    </FormDialog>
  )
}

const states = (['answered', 'refused', 'open'] as const).map((value) => ({
  value,
  label: text.states[value],
}))

/** Records how a request was answered, or opens it again. */
export function AnswerDialog({ request, onClose }: { request: PrivacyRequest; onClose: () => void }) {
  const [form] = Form.useForm<Bodies['AnswerPrivacyRequest']>()
  const state = Form.useWatch('state', form)
  const answer = useMutation(answerPrivacyRequest)
  const { kind, phone } = request
  return (
    <FormDialog<Bodies['AnswerPrivacyRequest']>
      name="privacy-answer"
      title={fill(text.answerTo, { kind: text.kinds[kind], phone: phone || text.erased })}
      submit={messages.privacy.save}
      form={form}
      values={{
        state: request.state === 'open' ? 'answered' : request.state,
        answer: request.answer,
      }}
      pending={answer.isPending}
      onSubmit={(body) =>
        answer.mutate(
          { request, body },
          { onSuccess: onClose, onError: (error) => showRejectedFields(form, error) },
        )
      }
      onClose={onClose}
    >
      <Form.Item name="state" label={text.state}>
        <Radio.Group options={states} />
      </Form.Item>
      {state === 'open' ? null : (
        <Form.Item
          name="answer"
          label={text.answer}
          rules={[{ required: true, whitespace: true, message: text.answerRequired }]}
        >
          <Input.TextArea rows={3} maxLength={longestText} />
        </Form.Item>
      )}
    </FormDialog>
  )
}
