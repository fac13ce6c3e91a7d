import { Fragment, useState, type ReactNode } from 'react'
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
  /** Rendered beside the submit button. */
  children?: ReactNode
}

/** The public request form, with native controls: its page ships no component library. */
export function AppointmentForm({ children, ...options }: Props) {
  const { ref, initial, errors, busy, round, submit, recheck } = useAppointmentForm(options)
  return (
    <form
      ref={ref}
      className="af"
      noValidate
      onSubmit={(event) => inBackground(submit(event))}
      onChange={recheck}
    >
      <Fragment key={round}>
        <PersonFields initial={initial} errors={errors} />
        <AppointmentFields initial={initial} errors={errors} offer={options.offer} />
      </Fragment>
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

function AppointmentFields({ initial, errors, offer }: FieldsProps & { offer: Offer }) {
  const [day, setDay] = useState(initial.preferredDate ?? '')
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
      <TimeTiles initial={initial.preferredTime} offer={offer} errors={errors} day={day} />
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
