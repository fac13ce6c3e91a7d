import { useMutation, useQuery } from '@tanstack/react-query'
import { Button, Form, Input, Select } from 'antd'
import { useState } from 'react'
import { messages } from '@/admin-messages'
import type { Bodies } from '@/api/types'
import { showRejectedFields } from '@/api/rejected-fields'
import { inBackground } from '@/in-background'
import { fill } from '@/messages'
import { ConfirmDialog } from '@/ui/form-dialog'
import { Panel, PanelBody } from '@/ui/panel'
import { tenDigits } from '@/ui/ten-digits'
import { phoneRules } from './phone-rules'
import { useOfPerson } from './mutations'
import { erasureQuery, type Erasure, type PrivacyRequest } from './queries'

const text = messages.privacy.person
const kinds = messages.privacy.requests.kinds

type Reason = Bodies['UseSubject']['reason']
type Action = Bodies['UseSubject']['action']
type Values = { phone?: string; reason: Reason }
type Props = {
  /** The request of the person; if undefined, the person is identified by the phone number. */
  request: PrivacyRequest | undefined
  onForget: () => void
}

const reasons = (['request', 'withdrawn', 'mistake', 'order'] as const).map((value) => ({
  value,
  label: text.reasons[value],
}))

/** Finds, exports and erases what is stored about one person. */
export function Person({ request, onForget }: Props) {
  const [form] = Form.useForm<Values>()
  const { use, pending, result } = useUses(request, (error) => showRejectedFields(form, error))
  const [asking, setAsking] = useState(false)
  const run = (action: Action) =>
    inBackground(
      form.validateFields().then(
        (values) => use(action, values),
        () => undefined,
      ),
    )
  const ask = () =>
    inBackground(
      form.validateFields().then(
        () => setAsking(true),
        () => undefined,
      ),
    )
  return (
    <Panel title={text.title}>
      <PanelBody>
        <p>{text.hint}</p>
        <Form<Values>
          name="privacy-person"
          form={form}
          layout="vertical"
          requiredMark={false}
          className="privacy-form"
          initialValues={{ reason: 'request' }}
          onFinish={() => run('find')}
        >
          {request ? (
            <p className="privacy-chosen">
              <b>{fill(text.ofRequest, { kind: kinds[request.kind], phone: request.phone })}</b>
              <Button size="small" onClick={onForget}>
                {text.other}
              </Button>
            </p>
          ) : (
            <Form.Item
              name="phone"
              label={messages.privacy.requests.phone}
              normalize={tenDigits}
              rules={phoneRules}
            >
              <Input type="tel" inputMode="numeric" autoComplete="off" />
            </Form.Item>
          )}
          <Form.Item name="reason" label={text.reason}>
            <Select<Reason> options={reasons} popupMatchSelectWidth={false} />
          </Form.Item>
          <span className="row-actions">
            <Button type="primary" htmlType="submit" disabled={pending}>
              {text.find}
            </Button>
            <Button disabled={pending} onClick={() => run('export')}>
              {text.export}
            </Button>
            <Button danger disabled={pending} onClick={ask}>
              {text.erase}
            </Button>
          </span>
        </Form>
        <div role="status">{result.said}</div>
        {result.erasure ? <Progress key={result.erasure.id} begun={result.erasure} /> : null}
        {asking ? (
          <ConfirmDialog
            title={text.eraseTitle}
            text={text.eraseText}
            submit={text.eraseNow}
            onConfirm={() => {
              setAsking(false)
              run('erase')
            }}
            onClose={() => setAsking(false)}
          />
        ) : null}
      </PanelBody>
    </Panel>
  )
}

type Result = { said?: string; erasure?: Erasure }

/** Sends a request to find, export or erase a person's data, and keeps the result of the last request. */
function useUses(request: PrivacyRequest | undefined, onRejected: (error: Error) => void) {
  const [result, setResult] = useState<Result>({})
  const { mutate, isPending } = useMutation(useOfPerson)
  const use = (action: Action, { phone = '', reason }: Values) => {
    const of = request ? { request_id: request.id } : { phone }
    setResult({})
    mutate(
      { action, reason, ...of },
      {
        onSuccess: ({ found, document, erasure }) => {
          if (found) setResult({ said: fill(text.found, found) })
          if (document !== undefined) setResult({ said: text.exported })
          if (erasure) setResult({ erasure })
        },
        onError: onRejected,
      },
    )
  }
  return { use, pending: isPending, result }
}

/** The progress of an erasure, service by service. */
function Progress({ begun }: { begun: Erasure }) {
  const { data = begun, error, refetch } = useQuery(erasureQuery(begun))
  return (
    <section className="privacy-progress" aria-label={text.progress}>
      <p role="status">{text.states[data.state]}</p>
      <ul>
        {data.services.map(({ name, done, erased }) => (
          <li key={name}>
            {text.services[name]}
            <b>{done ? fill(text.stepDone, { rows: erased }) : text.stepOpen}</b>
          </li>
        ))}
      </ul>
      {error ? <Button onClick={() => inBackground(refetch())}>{messages.privacy.fresh.again}</Button> : null}
    </section>
  )
}
