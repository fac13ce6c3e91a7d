import { Form, Input } from 'antd'
import type { Rule } from 'antd/es/form'
import type { ComponentProps, ReactElement } from 'react'
import { passwordRules } from './rules'

type Props = {
  name: string
  label: string
  rules: Rule[]
  children: ReactElement
  normalize?: (typed: string) => string
}

/** A field that is validated when its form is submitted; it shows its first error only. */
export function CheckedField({ children, ...item }: Props) {
  return (
    <Form.Item {...item} validateTrigger="onSubmit" validateFirst>
      {children}
    </Form.Item>
  )
}

type PasswordProps = Pick<Props, 'name' | 'label'> & ComponentProps<typeof Input.Password>

/** The field of a current or a new password. `autoComplete` distinguishes the two for password managers. */
export function PasswordField({ name, label, ...input }: PasswordProps) {
  return (
    <CheckedField name={name} label={label} rules={passwordRules}>
      <Input.Password {...input} />
    </CheckedField>
  )
}
