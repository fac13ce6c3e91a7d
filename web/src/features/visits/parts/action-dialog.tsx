import type { FormInstance } from 'antd'
import type { ReactNode } from 'react'
import { forgetDraft, useFormDraft } from '@/drafts'
import { messages } from '@/staff-messages'
import { FormDialog } from '@/ui/form-dialog'
import { Unanswered } from './unanswered'
import './action-dialog.css'

type Props<Values> = {
  /** A name that no other dialog has: it is part of the ids of the fields. */
  name: string
  title: string
  submit: string
  form: FormInstance<Values>
  values?: Partial<Values>
  pending: boolean
  /** The failure of the last submission. */
  error?: Error | null
  /** The id of the record that the dialog changes. If it is given, the input is kept until `forgetDialog` is called. */
  about?: string
  disabled?: boolean
  width?: number
  danger?: boolean
  onChange?: () => void
  onSubmit: (values: Values) => void
  onClose: () => void
  children: ReactNode
}

const draftOf = (name: string, about: string) => `dialog/${name}/${about}`

/** Deletes the kept input of a dialog after it was submitted or cancelled. */
export const forgetDialog = (name: string, about: string) => forgetDraft(draftOf(name, about))

/** The dialog of an action: Enter submits it from every single-line field, Escape closes it. */
export function ActionDialog<Values extends object>(props: Props<Values>) {
  const { name, title, submit, form, values = {}, pending } = props
  const { disabled = false, danger = false, width = 480 } = props
  const kept = useKept(props)
  return (
    <FormDialog<Values>
      name={name}
      title={title}
      submit={submit}
      form={form}
      values={{ ...values, ...kept.values() }}
      pending={pending}
      className="action-dialog"
      modal={{ cancelText: messages.life.back, okButtonProps: { danger, disabled }, width }}
      onChange={(changed, typed) => {
        kept.keep(changed, typed)
        props.onChange?.()
      }}
      onSubmit={props.onSubmit}
      onClose={props.onClose}
    >
      {props.children}
      <Unanswered error={props.error ?? null} typed={props.about !== undefined} />
      {/* Without a submit button, Enter does nothing in a form with two fields. */}
      <button type="submit" hidden disabled={disabled} />
    </FormDialog>
  )
}

/**
 * Keeps values that differ from the initial ones, also over a reload. Other fields follow the initial values.
 */
function useKept<Values extends object>({ name, about, values = {} }: Props<Values>) {
  const draft = useFormDraft<Values>(draftOf(name, about ?? ''))
  if (about === undefined) return { values: () => ({}), keep: () => undefined }
  const isTyped = ([field, value]: [string, unknown]) => value !== values[field as keyof Values]
  return {
    values: draft.values,
    keep: (changed: unknown, typed: Values) =>
      draft.keep(changed, Object.fromEntries(Object.entries(typed).filter(isTyped)) as Values),
  }
}
