import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Button, Form, Input, type InputRef } from 'antd'
import {
  lazy,
  memo,
  Suspense,
  useEffect,
  useState,
  type KeyboardEvent,
  type ReactNode,
  type Ref,
} from 'react'
import type { Appointment, NewVisit, Visit } from '@/api/types'
import { useFormDraft } from '@/drafts'
import type { ServiceChoice } from '@/features/visits/data/action-context'
import { lookupQuery, todayQuery } from '@/features/visits/data/queries'
import {
  isWholePhone,
  longestName,
  longestNotes,
  nameRules,
  phoneRules,
  serviceRules,
} from '@/features/visits/data/rules'
import { ServiceSelect } from '@/features/visits/parts/service-select'
import { inBackground } from '@/in-background'
import { useOfflineMode } from '@/live/offline-mode'
import type { Language } from '@/locales/languages'
import { messages } from '@/staff-messages'
import { Icon } from '@/ui/icon'
import { Panel, PanelBody } from '@/ui/panel'
import { recheck } from '@/ui/recheck'
import { useShortcuts } from '@/ui/shortcuts'
import { isNumber, tenDigits } from '@/ui/ten-digits'
import { AwaitedVisitor } from './awaited-visitor'
import { ClassSelect } from './class-select'
import { DuplicatesNote, duplicatesOf } from './duplicates'
import { KnownVisitor } from './known-visitor'
import { InVisitorLanguage, LanguageField, useLastLanguage } from './language-field'
import { PapersField } from './papers-field'
import { ToldField } from './told-field'
import { useRegistration } from './use-registration'
import './visit-form.css'

const DuplicatesDialog = lazy(async () => ({
  default: (await import('./duplicates-dialog')).DuplicatesDialog,
}))

/** Values of an appointment request that fill the form. */
export type Expected = Partial<NewVisit> & { from: string }

type Props = {
  services: readonly ServiceChoice[]
  loading: boolean
  /** Whether the services failed to load, with a function that loads them again. */
  failed: boolean
  onRetry: () => void
  /** The languages that the office offers. */
  languages: readonly Language[]
  /** The privacy notice, in the visitor's language. */
  notice: (language: Language) => ReactNode
  /** Values that fill the form. Each request has a key of its own. */
  expected?: Expected | undefined
  /** Today's requests whose visitors have not come yet. They are found by phone number. */
  awaited: readonly Appointment[]
  onAwaited: (request: Appointment) => void
  nameRef: Ref<InputRef>
  onCreated: (visit: Visit) => void
  onForget: () => void
}

const text = messages.visits.form

/** Registers a walk-in visitor: name, phone, service, Enter; then Visitor Name gets the focus again. */
export function VisitForm({
  languages,
  notice,
  expected,
  awaited,
  onAwaited,
  nameRef,
  onCreated,
  onForget,
  ...offer
}: Props) {
  const [form] = Form.useForm<NewVisit>()
  const kept = useKept(form, expected !== undefined)
  const { submit, submitting, waiting, discard } = useRegistration(
    form,
    expected?.appointment_id,
    (visit) => {
      kept.forget()
      onCreated(visit)
    },
  )

  return (
    <Panel title={text.title}>
      <PanelBody>
        {expected ? <ExpectedNote from={expected.from} onForget={onForget} /> : null}
        <Form<NewVisit>
          form={form}
          className="visit-form"
          layout="vertical"
          requiredMark={false}
          disabled={waiting}
          scrollToFirstError={{ focus: true }}
          initialValues={expected ?? {}}
          onKeyDown={onCtrlEnter(form.submit)}
          onValuesChange={(changed, typed) => {
            moveNumber(form, changed)
            // Each service has papers of its own.
            if (changed.serviceId !== undefined) form.setFieldValue('documents', undefined)
            recheck(form)(changed)
            kept.keep(changed, { ...typed, ...form.getFieldsValue() })
          }}
          onFinish={submit}
        >
          <Fields
            form={form}
            locked={waiting}
            isExpected={expected !== undefined}
            languages={languages}
            notice={notice}
            awaited={awaited}
            onAwaited={onAwaited}
            nameRef={nameRef}
            {...offer}
          />
          <div className="visit-form-submit">
            <div role="status">
              {waiting ? (
                <ConnectionLost
                  onDiscard={() => {
                    kept.forget()
                    discard()
                  }}
                />
              ) : null}
            </div>
            <Button
              type="primary"
              size="large"
              block
              htmlType="submit"
              disabled={submitting || waiting}
              autoFocus={expected?.serviceId !== undefined}
              aria-keyshortcuts="Control+Enter"
            >
              {submitting ? text.submitting : text.submit}
            </Button>
          </div>
        </Form>
      </PanelBody>
    </Panel>
  )
}

type FieldsProps = Omit<Props, 'expected' | 'onCreated' | 'onForget'> & {
  form: FormOf
  locked: boolean
  isExpected: boolean
}

/** Memoised: rendering the fields takes longer than showing the ticket of a token. */
const Fields = memo(function Fields({
  form,
  locked,
  isExpected,
  languages,
  notice,
  awaited,
  onAwaited,
  nameRef,
  ...offer
}: FieldsProps) {
  return (
    <>
      <NameField inputRef={nameRef} autoFocus={!isExpected} />
      <PhoneField
        form={form}
        languages={languages}
        awaited={isExpected ? [] : awaited}
        onAwaited={onAwaited}
      />
      <Form.Item
        name="serviceId"
        label={text.service}
        rules={serviceRules}
        extra={offer.failed ? <ServicesMissing {...offer} /> : undefined}
      >
        <ServiceSelect services={offer.services} loading={offer.loading} onEnter={form.submit} />
      </Form.Item>
      <Form.Item name="notes" label={text.notes}>
        <Input.TextArea rows={2} maxLength={longestNotes} />
      </Form.Item>
      <div className="visit-form-details">
        <ClassField />
        <LanguageField offered={languages} locked={locked} />
      </div>
      <InVisitorLanguage form={form} offered={languages}>
        {notice}
      </InVisitorLanguage>
      <ToldField form={form} />
      <PapersField form={form} services={offer.services} />
    </>
  )
})

/** The normal class is not sent. */
function ClassField() {
  return (
    <Form.Item
      name="class"
      label={messages.life.classes.title}
      getValueProps={(value?: string) => ({ value: value ?? 'normal' })}
      normalize={(value: string) => (value === 'normal' ? undefined : value)}
    >
      <ClassSelect />
    </Form.Item>
  )
}

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

type PhoneProps = Pick<Props, 'languages' | 'awaited' | 'onAwaited'> & { form: FormOf }

/** The phone number, with the visitor that it belongs to. */
function PhoneField({ form, languages, awaited, onAwaited }: PhoneProps) {
  const { onPhoneKey, duplicates, phone, ...known } = useKnownVisitor(form)
  useLastLanguage(form, known.visitor, languages)
  const [asking, setAsking] = useState(false)
  useShortcuts({ 'Ctrl+Delete': () => setAsking(duplicates.length > 0) })
  return (
    <>
      <Form.Item
        name="phone"
        label={text.phone}
        rules={phoneRules}
        normalize={tenDigits}
        validateTrigger="onSubmit"
        extra={
          <KnownVisitor {...known}>
            <AwaitedVisitor request={awaited.find((one) => one.phone === phone)} onUse={onAwaited} />
            <DuplicatesNote visits={duplicates} onOpen={() => setAsking(true)} />
          </KnownVisitor>
        }
      >
        <Input
          size="large"
          type="tel"
          inputMode="numeric"
          autoComplete="off"
          prefix={<span className="visit-form-prefix">+91</span>}
          onKeyDown={onPhoneKey}
        />
      </Form.Item>
      {asking ? (
        <Suspense fallback={null}>
          <DuplicatesDialog visits={duplicates} onClose={() => setAsking(false)} />
        </Suspense>
      ) : null}
    </>
  )
}

/** A number that is typed or pasted as the name goes to the phone, and typing goes on there. */
function moveNumber(form: FormOf, changed: Partial<NewVisit>) {
  const { name } = changed
  if (name === undefined || !isNumber(name) || form.getFieldValue('phone')) return
  form.setFieldsValue({ name: '', phone: tenDigits(name) })
  form.focusField('phone')
}

type FormOf = ReturnType<typeof Form.useForm<NewVisit>>[0]

/**
 * The typed values survive an expired session. Those of an appointment request are not kept: the request still has
 * them.
 */
function useKept(form: FormOf, expected: boolean) {
  const draft = useFormDraft<NewVisit>('visitor')
  useEffect(() => {
    if (!expected) form.setFieldsValue(draft.values())
  }, [form, draft, expected])
  const none = () => undefined
  return expected ? { keep: none, forget: none } : draft
}

/** Looks the visitor up at the tenth digit. Enter takes the name, even if the response is still pending. */
function useKnownVisitor(form: FormOf) {
  const client = useQueryClient()
  const phone = (Form.useWatch('phone', form) as string | undefined) ?? ''
  const name = (Form.useWatch('name', form) as string | undefined) ?? ''
  const whole = isWholePhone(phone)
  const { offline, noLookup } = useOfflineMode()
  const { data: visitor } = useQuery({ ...lookupQuery(phone), enabled: whole && !offline })
  const { data: today } = useQuery(todayQuery())

  const take = (found: string) => {
    form.setFieldValue('name', found)
    form.focusField('serviceId')
  }
  /** A slow response does not replace what was typed since, nor move the focus. */
  const lookAndTake = async (of: string, field: EventTarget) => {
    const found = offline ? null : await client.query(lookupQuery(of)).catch(() => null)
    const typed: Partial<NewVisit> = form.getFieldsValue()
    if (typed.phone !== of || typed.name?.trim()) return
    if (document.activeElement !== field) {
      if (found) form.setFieldValue('name', found.name)
    } else if (found) take(found.name)
    else form.submit()
  }
  const onPhoneKey = (event: KeyboardEvent) => {
    // Read from the form, not from the last render: Enter may follow the tenth digit immediately.
    const typed: Partial<NewVisit> = form.getFieldsValue()
    if (event.key !== 'Enter' || event.ctrlKey || event.metaKey) return
    if (!isWholePhone(typed.phone ?? '') || typed.name?.trim()) return
    event.preventDefault()
    inBackground(lookAndTake(typed.phone ?? '', event.currentTarget))
  }
  const duplicates = whole ? duplicatesOf(today ?? [], phone) : []
  return {
    phone,
    visitor: whole ? visitor : undefined,
    missing: whole && offline ? noLookup : undefined,
    typed: name,
    // The tokens without those that can be cancelled: DuplicatesNote shows these.
    tokens: (today ?? [])
      .filter((visit) => whole && visit.phone === phone && !duplicates.includes(visit))
      .map(({ token }) => token),
    duplicates,
    onAccept: () => (visitor ? take(visitor.name) : undefined),
    onPhoneKey,
  }
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

/**
 * The registration is repeated automatically when the connection is back. The button works although the form is locked.
 */
function ConnectionLost({ onDiscard }: { onDiscard: () => void }) {
  return (
    <div className="connection-lost">
      <Icon name="wifiOff" size={18} />
      <p>{messages.connection.kept}</p>
      <Button size="small" disabled={false} onClick={onDiscard}>
        {messages.connection.discard}
      </Button>
    </div>
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
