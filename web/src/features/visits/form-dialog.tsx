import { Form, Modal, type FormInstance } from 'antd'
import type { ReactNode } from 'react'
import { messages } from '@/staff-messages'
import { useReturnFocus } from '@/ui/use-return-focus'
import './form-dialog.css'

type Props<Values> = {
  /** A name of its own: it is part of the ids of the fields. */
  name: string
  title: string
  submit: string
  form: FormInstance<Values>
  values?: Partial<Values>
  pending: boolean
  disabled?: boolean
  width?: number
  danger?: boolean
  onChange?: () => void
  onSubmit: (values: Values) => void
  onClose: () => void
  children: ReactNode
}

/** A dialog with one form: Enter submits it from every single-line field, Escape closes it. */
export function FormDialog<Values extends object>(props: Props<Values>) {
  const {
    name,
    title,
    submit,
    form,
    values = {},
    pending,
    disabled = false,
    danger = false,
    width = 480,
  } = props
  useReturnFocus()
  return (
    <Modal
      open
      title={title}
      okText={submit}
      cancelText={messages.life.back}
      okButtonProps={{ danger, disabled }}
      confirmLoading={pending}
      width={width}
      onOk={form.submit}
      onCancel={props.onClose}
    >
      <Form<Values>
        name={name}
        form={form}
        layout="vertical"
        requiredMark={false}
        className="form-dialog"
        initialValues={values}
        onValuesChange={() => props.onChange?.()}
        onFinish={props.onSubmit}
      >
        {props.children}
        {/* Without a submit button a form with two fields ignores Enter. */}
        <button type="submit" hidden disabled={disabled} />
      </Form>
    </Modal>
  )
}
