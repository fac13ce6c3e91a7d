import { Form, Input, type FormInstance } from 'antd'
import { Suspense, useState } from 'react'
import { chunk } from '@/chunk'
import type { Appointment, NewVisit, Visit } from '@/api/types'
import { phoneRules } from '@/features/visits/data/rules'
import type { Language } from '@/locales/languages'
import { messages } from '@/staff-messages'
import { useShortcuts } from '@/ui/shortcuts'
import { tenDigits } from '@/ui/ten-digits'
import { KnownVisitor } from './known-visitor'
import { useLastLanguage } from './last-language'
import { useKnownVisitor } from './use-known-visitor'

const load = () => import('./same-number')

// `SameNumber` and `AwaitedVisitor` are loaded for the first number with a token or an appointment today.
const SameNumber = chunk(async () => (await load()).SameNumber)
const AwaitedVisitor = chunk(async () => (await load()).AwaitedVisitor)
const DuplicatesDialog = chunk(async () => (await import('./duplicates-dialog')).DuplicatesDialog)

type Props = {
  form: FormInstance<NewVisit>
  languages: readonly Language[]
  /** Today's requests whose visitors have not come yet. */
  awaited: readonly Appointment[]
  onAwaited: (request: Appointment) => void
  onShow: (visit: Visit) => void
  onPrint: (visit: Visit) => void
}

const cancellable = ['new', 'waiting', 'held', 'missed']

/** The phone number, with the visitor that it belongs to and its tokens of today. */
export function PhoneField({ form, languages, awaited, onAwaited, onShow, onPrint }: Props) {
  const { onPhoneKey, visits, phone, ...known } = useKnownVisitor(form)
  useLastLanguage(form, known.visitor, languages)
  const duplicates = visits.filter(({ queue }) => cancellable.includes(queue.stage))
  const [asking, setAsking] = useState(false)
  // The number with which another person is being registered; '' after the number was changed or emptied.
  const [shared, setShared] = useState('')
  if (shared && shared !== phone) setShared('')
  const request = awaited.find((one) => one.phone === phone)
  useShortcuts({ 'Ctrl+Delete': () => setAsking(duplicates.length > 0) })
  return (
    <>
      <Form.Item
        name="phone"
        label={messages.visits.form.phone}
        rules={phoneRules}
        normalize={tenDigits}
        validateTrigger="onSubmit"
        extra={
          <KnownVisitor {...known}>
            <Suspense fallback={null}>
              {request ? <AwaitedVisitor request={request} onUse={onAwaited} /> : null}
              {visits.length > 0 && !shared ? (
                <SameNumber
                  visits={visits}
                  mayCancel={({ id }) => duplicates.some((visit) => visit.id === id)}
                  onShow={onShow}
                  onPrint={onPrint}
                  onAnother={() => {
                    setShared(phone)
                    form.focusField('name')
                  }}
                />
              ) : null}
            </Suspense>
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
