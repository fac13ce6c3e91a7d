import type { FormInstance } from 'antd'

/** Revalidates a submitted form on input: an error under a field disappears as soon as the value is valid. */
export function recheck(form: FormInstance) {
  return (changed: object) => {
    const named = Object.keys(changed).filter((name) => form.getFieldError(name).length > 0)
    // Every name is a field of this form; what is still wrong stands under the field, so the refusal itself says
    // nothing new.
    if (named.length > 0) form.validateFields(named).catch(() => undefined)
  }
}
