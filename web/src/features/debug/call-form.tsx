import { useMutation } from '@tanstack/react-query'
import { Button, Input } from 'antd'
import { useId, type SubmitEvent } from 'react'
import { debug as text } from '@/locales/debug'
import { Field } from '@/ui/field'
import type { Call, Field as FieldName, Values } from './calls'
import { perform, type Exchange } from './exchange'
import './call-form.css'

type Props = {
  call: Call
  values: Values
  onChange: (field: FieldName, value: string) => void
  onSessionChange: () => void
}

export function CallForm({ call, values, onChange, onSessionChange }: Props) {
  const id = useId()
  const attempt = useMutation({ mutationFn: () => perform(call, values, onSessionChange) })
  const label = text.calls[call.name]

  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    attempt.mutate()
  }

  return (
    <form className="call-form" aria-label={label} autoComplete="off" onSubmit={submit}>
      {call.fields.map((field) => (
        <Field key={field} label={text.fields[field]} htmlFor={`${id}-${field}`}>
          <Input
            id={`${id}-${field}`}
            type={/password/i.test(field) ? 'password' : 'text'}
            autoComplete="off"
            required={call.final ?? false}
            value={values[field]}
            onChange={({ target }) => onChange(field, target.value)}
          />
        </Field>
      ))}
      <Button htmlType="submit" danger={call.final ?? false} disabled={attempt.isPending}>
        {attempt.isPending ? text.busy : label}
      </Button>
      <div role="status">{attempt.data ? <Wire exchange={attempt.data} /> : null}</div>
    </form>
  )
}

function Wire({ exchange: { request, sent, status, statusText, answer } }: { exchange: Exchange }) {
  const succeeded = status >= 200 && status < 300
  return (
    <div className="call-wire">
      <code>{request}</code>
      <b className={succeeded ? undefined : 'call-failed'}>
        {status === 0 ? text.unreached : `${status} ${statusText}`.trim()}
      </b>
      {sent ? <Body title={text.sent} body={sent} /> : null}
      <Body title={text.answer} body={answer || text.noBody} />
    </div>
  )
}

function Body({ title, body }: { title: string; body: string }) {
  return (
    <>
      <span>{title}</span>
      <pre>{body}</pre>
    </>
  )
}
