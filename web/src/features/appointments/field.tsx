import type { ReactNode } from 'react'
import type { AppointmentErrors, AppointmentField } from './rules'

export const controlId = (name: AppointmentField) => `appointment-${name}`
const errorId = (name: AppointmentField) => `appointment-${name}-error`

/** ARIA attributes that connect a control with its error. */
export function errorProps(name: AppointmentField, errors: AppointmentErrors) {
  return errors[name] === undefined
    ? {}
    : { 'aria-invalid': true as const, 'aria-describedby': errorId(name) }
}

/** The error text under a control, with the octagon that marks it without colour. */
export function FieldError({ name, errors }: { name: AppointmentField; errors: AppointmentErrors }) {
  const sentence = errors[name]
  if (sentence === undefined) return null
  return (
    <p className="af-error" id={errorId(name)}>
      <svg width="14" height="14" viewBox="0 0 16 16" fill="none" stroke="currentColor" aria-hidden="true">
        <path
          strokeWidth="1.7"
          d="M5.3 1.5h5.4l3.8 3.8v5.4l-3.8 3.8H5.3L1.5 10.7V5.3zM5.7 5.7l4.6 4.6M10.3 5.7l-4.6 4.6"
        />
      </svg>
      {sentence}
    </p>
  )
}

type FieldProps = {
  name: AppointmentField
  label: string
  errors: AppointmentErrors
  wide?: boolean
  children: ReactNode
}

export function Field({ name, label, errors, wide = false, children }: FieldProps) {
  return (
    <div className={wide ? 'af-field af-wide' : 'af-field'}>
      <label htmlFor={controlId(name)}>{label}</label>
      {children}
      <FieldError name={name} errors={errors} />
    </div>
  )
}
