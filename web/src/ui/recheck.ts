import type { FormInstance } from 'antd'

/** Revalidates a submitted form on input: an error under a field disappears as soon as the value is valid. */
export function recheck(form: FormInstance) {
  return (changed: object) => {
    const named = Object.keys(changed).filter((name) => form.getFieldError(name).length > 0)
    // The rejection is ignored: the remaining errors are shown under their fields.
    if (named.length > 0) form.validateFields(named).catch(() => undefined)
  }
}
