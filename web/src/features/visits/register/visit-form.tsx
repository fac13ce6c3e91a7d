import { Button, Form, Input, type InputRef } from 'antd'
import { memo, Suspense, useEffect, useState, type KeyboardEvent, type Ref } from 'react'
import { chunk } from '@/chunk'
import type { Appointment, NewVisit, Visit } from '@/api/types'
import { useFormDraft } from '@/drafts'
import { longestName, longestNotes, nameRules, serviceRules } from '@/features/visits/data/rules'
import { ServiceSelect } from '@/features/visits/parts/service-select'
import { messages } from '@/staff-messages'
import { Panel, PanelBody } from '@/ui/panel'
import { recheck } from '@/ui/recheck'
import { isNumber, tenDigits } from '@/ui/ten-digits'
import type { MoreProps } from './form-more'
import { forgetKept, type Kept } from './kept'
import { More } from './more'
import { isMoreUsed, recordUse, usesMore } from './more-use'
import { PhoneField } from './phone-field'
import { useRegistration } from './use-registration'
import './visit-form.css'

const load = () => import('./kept-entries')

const KeptEntries = chunk(async () => (await load()).KeptEntries)

/** Values of an appointment request that fill the form. */
export type Expected = Partial<NewVisit> & { from: string }

type Props = Omit<MoreProps, 'form'> & {
  loading: boolean
  /** Whether the services failed to load, with a function that loads them again. */
  failed: boolean
  onRetry: () => void
  /** Values that fill the form. The form needs a React key of its own for each appointment request. */
  expected?: Expected | undefined
  /** Today's requests whose visitors have not come yet. They are found by phone number. */
  awaited: readonly Appointment[]
  onAwaited: (request: Appointment) => void
  nameRef: Ref<InputRef>
  onCreated: (visit: Visit, sent: NewVisit) => void
  /** Shows the ticket of a visit again. `onPrint` also prints its slip. */
  onShow: (visit: Visit) => void
  onPrint: (visit: Pick<Visit, 'id'>) => void
  /** Called when a registration is kept. */
  onKept: () => void
  onForget: () => void
}

const text = messages.visits.form

/** Registers a walk-in visitor: name, phone, service, Enter; then Visitor Name gets the focus again. */
export function VisitForm({ expected, onForget, onCreated, onKept, ...rest }: Props) {
  const [form] = Form.useForm<NewVisit>()
  const { entries, correct, ...entry } = useEntry(form, expected !== undefined, { onCreated, onKept })
  useEffect(() => {
    load().catch(() => undefined) // Loaded now, because the entries are shown when the connection is lost.
  }, [])
  return (
    <Panel title={text.title}>
      <PanelBody>
        {entries.length > 0 ? (
          <Suspense fallback={null}>
            <KeptEntries
              entries={entries}
              services={rest.services}
              form={form}
              onCorrect={expected ? undefined : correct}
              onPrint={rest.onPrint}
            />
          </Suspense>
        ) : null}
        {expected ? <ExpectedNote from={expected.from} onForget={onForget} /> : null}
        <EntryForm form={form} expected={expected} entry={entry} {...rest} />
      </PanelBody>
    </Panel>
  )
}

function useEntry(form: FormOf, isExpected: boolean, handlers: Pick<Props, 'onCreated' | 'onKept'>) {
  const [isMoreOpen, setMoreOpen] = useState(false)
  const typed = useFormDraft<NewVisit>('visitor')
  const draft = isExpected ? noDraft : typed
  const { resume, ...registration } = useRegistration(form, {
    onDone: (sent, isHere) => {
      // By now, something else may have been typed in another form.
      if (isHere || isSame(draft.values(), sent)) draft.forget()
      setMoreOpen(false)
    },
    ...handlers,
  })
  // Runs after useRegistration's effect, which forgets a draft that was already sent before a reload.
  useEffect(() => form.setFieldsValue(draft.values()), [form, draft])
  /** Moves a kept entry into the form. If it is submitted unchanged, it is sent with its key. */
  const correct = ({ key, visit }: Kept) => {
    form.setFieldsValue(typedOf(visit))
    // The field is marked as touched, so that the language of the last visit does not replace its value.
    form.setFields([{ name: 'language', touched: visit.language !== undefined }])
    setMoreOpen(isMoreUsed(visit))
    draft.keep(undefined, allOf(form))
    resume(visit, key)
    forgetKept(key)
    form.focusField('name')
  }
  return { ...registration, draft, isMoreOpen, setMoreOpen, correct }
}

function EntryForm({ form, expected, entry, notice, awaited, ...rest }: EntryProps) {
  const { submit, submitting, full, draft, isMoreOpen, setMoreOpen } = entry
  const onValuesChange = (changed: Partial<NewVisit>) => {
    moveNumber(form, changed)
    const { serviceId } = changed
    // Each service has papers of its own.
    if (serviceId !== undefined) form.setFieldValue('documents', undefined)
    if (serviceId && usesMore(serviceId)) setMoreOpen(true)
    recheck(form)(changed)
    draft.keep(changed, allOf(form))
  }
  const onFinish = () => {
    const typed = typedOf(allOf(form))
    recordUse(typed)
    submit(typed)
  }
  return (
    <Form<NewVisit>
      form={form}
      className="visit-form"
      layout="vertical"
      requiredMark={false}
      scrollToFirstError={{ focus: true }}
      initialValues={expected ?? {}}
      onKeyDown={onCtrlEnter(form.submit)}
      onValuesChange={onValuesChange}
      onFinish={onFinish}
    >
      <Fields form={form} awaited={expected ? none : awaited} autoFocus={!expected} {...rest} />
      <More form={form} notice={notice} isOpen={isMoreOpen} onOpen={setMoreOpen} {...moreOf(rest)} />
      <div className="visit-form-submit">
        <Button
          type="primary"
          size="large"
          block
          htmlType="submit"
          disabled={submitting || full}
          autoFocus={expected?.serviceId !== undefined}
          aria-keyshortcuts="Control+Enter"
        >
          {submitting ? text.submitting : text.submit}
        </Button>
      </div>
    </Form>
  )
}

const none: readonly Appointment[] = []

const moreOf = ({ services, languages }: Pick<Props, 'services' | 'languages'>) => ({ services, languages })

/** All values of the form, including those of folded fields, which may not be mounted. */
const allOf = (form: FormOf) => form.getFieldsValue(true) as NewVisit

/** The values that are sent. A form that is filled from an appointment request has further values. */
const typedOf = ({ name, phone, serviceId, notes, ...more }: NewVisit): NewVisit => {
  const { class: of, language, told_by, messages: allowed, documents, appointment_id } = more
  return {
    name,
    phone,
    serviceId,
    notes,
    class: of,
    language,
    told_by,
    messages: allowed,
    documents,
    appointment_id,
  } as NewVisit
}

/**
 * A draft keeps the typed values over an expired session. An appointment request has no draft, because its values can
 * be read again.
 */
const noDraft = { values: () => ({}), keep: () => undefined, forget: () => undefined }

const isSame = (one: Partial<NewVisit>, other: NewVisit) =>
  JSON.stringify(typedOf(one as NewVisit)) === JSON.stringify(other)

type FormOf = ReturnType<typeof Form.useForm<NewVisit>>[0]

type EntryProps = Omit<Props, 'onForget' | 'onCreated' | 'onKept'> & {
  form: FormOf
  entry: Omit<ReturnType<typeof useEntry>, 'entries' | 'correct'>
}

type FieldsProps = Omit<EntryProps, 'notice' | 'expected' | 'entry'> & {
  autoFocus: boolean
}

/** Memoised, because rendering the fields takes longer than showing the ticket of a token. */
const Fields = memo(function Fields({ form, autoFocus, nameRef, services, ...rest }: FieldsProps) {
  const { loading, failed, onRetry, ...ofPhone } = rest
  return (
    <>
      <NameField inputRef={nameRef} autoFocus={autoFocus} />
      <PhoneField form={form} {...ofPhone} />
      <Form.Item
        name="serviceId"
        label={text.service}
        rules={serviceRules}
        extra={failed ? <ServicesMissing loading={loading} onRetry={onRetry} /> : undefined}
      >
        <ServiceSelect services={services} loading={loading} onEnter={form.submit} />
      </Form.Item>
      <Form.Item name="notes" label={text.notes}>
        <Input.TextArea rows={1} maxLength={longestNotes} />
      </Form.Item>
    </>
  )
})

function NameField({ inputRef, autoFocus }: { inputRef: Ref<InputRef>; autoFocus: boolean }) {
  return (
    <Form.Item name="name" label={text.name} rules={nameRules} validateTrigger="onSubmit">
      <Input
        ref={inputRef}
        size="large"
        maxLength={longestName}
        autoComplete="off"
        autoFocus={autoFocus}
        aria-keyshortcuts="F2"
      />
    </Form.Item>
  )
}

/** Moves a number that was typed or pasted as the name to the phone field, with the focus. */
function moveNumber(form: FormOf, changed: Partial<NewVisit>) {
  const { name } = changed
  if (name === undefined || !isNumber(name) || form.getFieldValue('phone')) return
  form.setFieldsValue({ name: '', phone: tenDigits(name) })
  form.focusField('phone')
}

function ServicesMissing({ loading, onRetry }: Pick<Props, 'loading' | 'onRetry'>) {
  return (
    <span className="services-missing">
      {text.servicesMissing}
      <Button size="small" disabled={loading} onClick={onRetry}>
        {messages.request.tryAgain}
      </Button>
    </span>
  )
}

function ExpectedNote({ from, onForget }: { from: string; onForget: () => void }) {
  return (
    <p className="expected-note">
      <span>{from}</span>
      <Button size="small" onClick={onForget}>
        {text.forget}
      </Button>
    </p>
  )
}

/** Enter in the notes begins a new line. Ctrl or Cmd with Enter submits the form from every field. */
const onCtrlEnter = (submit: () => void) => (event: KeyboardEvent) => {
  if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
  event.preventDefault()
  submit()
}
