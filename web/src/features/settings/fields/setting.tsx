import type { ReactNode } from 'react'
import { idAt, useSectionForm, useSetting } from './form'
import { settingText } from './texts'
import type { Pointer } from '@/features/settings/data/pointer'

/** The attributes that connect a control with its explanation and its error. */
export type Described = {
  id: string
  disabled: boolean
  status: 'error' | ''
  'aria-describedby': string
  'aria-invalid': boolean
}

type Props = {
  at: Pointer
  /** The setting whose name and explanation are shown, if the value is a translation of it. */
  of?: Pointer | undefined
  children: (control: Described) => ReactNode
}

/** A setting with its name, its explanation and the error of its value. */
export function Setting({ at, of = at, children }: Props) {
  const { id, error, readOnly } = useSetting(at)
  const { title, description } = settingText(of)
  return (
    <div className="setting">
      <label htmlFor={id}>{title}</label>
      {children(describedBy(id, error, readOnly))}
      <Explained id={id} text={description} error={error} />
    </div>
  )
}

/** A setting of several controls. Each has a name of its own. */
export function SettingGroup({ at, children }: { at: Pointer; children: ReactNode }) {
  const { id, error } = useSetting(at)
  const { title, description } = settingText(at)
  return (
    <fieldset className="setting" aria-describedby={`${id}-hint`}>
      <legend>{title}</legend>
      <Explained id={id} text={description} error={error} />
      {children}
    </fieldset>
  )
}

const describedBy = (id: string, error: string | undefined, disabled: boolean): Described => ({
  id,
  disabled,
  status: error ? 'error' : '',
  'aria-describedby': error ? `${id}-hint ${id}-error` : `${id}-hint`,
  'aria-invalid': error !== undefined,
})

function Explained({ id, text, error }: { id: string; text: string; error: string | undefined }) {
  return (
    <>
      <p className="setting-hint" id={`${id}-hint`}>
        {text}
      </p>
      <FieldError id={id} error={error} />
    </>
  )
}

/** For a control without an explanation: its attributes, and what `FieldError` needs to show the error of its value. */
export function useFieldError() {
  const { id: prefix, errors } = useSectionForm()
  return (at: Pointer) => {
    const [id, error] = [idAt(prefix, at), errors[at]]
    const control = {
      status: error ? ('error' as const) : ('' as const),
      'aria-invalid': error !== undefined,
      ...(error ? { 'aria-describedby': `${id}-error` } : {}),
    }
    return { control, shown: { id, error } }
  }
}

/** The sentence about an invalid value. */
export function FieldError({ id, error }: { id: string; error: string | undefined }) {
  return error ? (
    <p className="setting-error" id={`${id}-error`}>
      {error}
    </p>
  ) : null
}
