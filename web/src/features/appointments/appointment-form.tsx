import type { ReactNode } from 'react'
import { inBackground } from '@/in-background'
import { messages } from '@/messages'
import { tenDigits } from '@/ui/ten-digits'
import { controlId, errorProps, Field } from './field'
import type { AppointmentErrors, AppointmentForm as AppointmentFormValues, Offer } from './rules'
import { PreferredDate } from './preferred-date'
import { TimeTiles } from './time-tiles'
import { useAppointmentForm, type AppointmentFormOptions } from './use-appointment-form'
import './appointment-form.css'

const text = messages.appointments.form

type Props = AppointmentFormOptions & {
  /** Whether the office sends text messages to visitors who agree. */
  texts?: boolean
  /** Rendered beside the submit button. */
  children?: ReactNode
}

/** The public request form, with native controls: its page ships no component library. */
export function AppointmentForm({ children, texts = false, ...options }: Props) {
  const { ref, initial, errors, busy, submit, recheck, choice } = useAppointmentForm(options)
  return (
    <form
      ref={ref}
      className="af"
      noValidate
      onSubmit={(event) => inBackground(submit(event))}
      onChange={(event) => recheck(event.currentTarget)}
    >
      <PersonFields initial={initial} errors={errors} />
      <AppointmentFields initial={initial} errors={errors} offer={options.offer} {...choice} />
      {texts && options.mode === 'live' ? (
        <label className="af-check af-wide">
          <input type="checkbox" name="messages" />
          {messages.booking.texts}
        </label>
      ) : null}
      <div className="af-send af-wide">
        <button className="af-submit" type="submit" aria-disabled={busy}>
          <span aria-hidden={busy}>{text.submit}</span>
          {busy ? <span>{text.submitting}</span> : null}
        </button>
        {children}
      </div>
    </form>
  )
}

type FieldsProps = { initial: Partial<AppointmentFormValues>; errors: AppointmentErrors }

function PersonFields({ initial, errors }: FieldsProps) {
  return (
    <>
      <Field name="name" label={text.name} errors={errors}>
        <input
          id={controlId('name')}
          name="name"
          autoComplete="name"
          defaultValue={initial.name}
          maxLength={100}
          {...errorProps('name', errors)}
        />
      </Field>
      <Field name="phone" label={text.phone} errors={errors}>
        <input
          id={controlId('phone')}
          name="phone"
          type="tel"
          inputMode="numeric"
          autoComplete="tel-national"
          defaultValue={initial.phone}
          onInput={({ currentTarget: input }) => {
            const digits = tenDigits(input.value)
            if (digits !== input.value) input.value = digits
          }}
          {...errorProps('phone', errors)}
        />
      </Field>
      <Field name="email" label={text.email} errors={errors}>
        <input
          id={controlId('email')}
          name="email"
          type="email"
          autoComplete="email"
          defaultValue={initial.email}
          {...errorProps('email', errors)}
        />
      </Field>
    </>
  )
}

type ChoiceProps = FieldsProps & { offer: Offer } & ReturnType<typeof useAppointmentForm>['choice']

function AppointmentFields({ initial, errors, offer, day, setDay, slots, chooseDay }: ChoiceProps) {
  return (
    <>
      <Field name="service" label={text.service} errors={errors}>
        <select
          id={controlId('service')}
          name="service"
          defaultValue={initial.service ?? ''}
          {...errorProps('service', errors)}
        >
          <option value="">{text.chooseService}</option>
          {offer.services.map((service) => (
            <option key={service} value={service}>
              {offer.names?.get(service) ?? service}
            </option>
          ))}
        </select>
      </Field>
      <PreferredDate
        initial={initial.preferredDate ?? ''}
        offer={offer}
        errors={errors}
        day={day}
        onDay={setDay}
      />
      <TimeTiles
        initial={initial.preferredTime}
        offer={offer}
        errors={errors}
        day={day}
        slots={slots}
        onNext={chooseDay}
      />
      <Field name="message" label={text.message} errors={errors} wide>
        <textarea
          id={controlId('message')}
          name="message"
          rows={3}
          maxLength={1000}
          defaultValue={initial.message}
          {...errorProps('message', errors)}
        />
      </Field>
    </>
  )
}
