import { Form, Modal, type FormInstance, type FormProps, type ModalProps } from 'antd'
import { useEffect, useRef, type ReactNode } from 'react'
import { useReturnFocus } from './use-return-focus'

type Props<Values> = {
  /** A name that no other dialog has: it is part of the ids of the fields. */
  name: string
  title: string
  submit: string
  form: FormInstance<Values>
  values?: NonNullable<FormProps<Values>['initialValues']>
  pending: boolean
  className?: string
  modal?: Pick<ModalProps, 'cancelText' | 'okButtonProps' | 'width'>
  onChange?: (changed: unknown, typed: Values) => void
  onSubmit: (values: Values) => void
  onClose: () => void
  children: ReactNode
}

/** A dialog with one form, mounted while it is open. */
export function FormDialog<Values extends object>({
  name,
  title,
  submit,
  form,
  values = {},
  pending,
  className,
  modal,
  onChange,
  onSubmit,
  onClose,
  children,
}: Props<Values>) {
  useReturnFocus()
  const focused = useRef<HTMLElement>(null)
  // A sheet that closes for this dialog takes the focus from the field with autoFocus. Here the field gets it again.
  useEffect(() => focused.current?.focus(), [])
  return (
    <Modal
      open
      title={title}
      okText={submit}
      confirmLoading={pending}
      onOk={form.submit}
      onCancel={onClose}
      {...modal}
    >
      <Form<Values>
        name={name}
        form={form}
        layout="vertical"
        requiredMark={false}
        initialValues={values}
        onFinish={onSubmit}
        onFocus={({ target }) => (focused.current ??= target)}
        {...(className && { className })}
        {...(onChange && { onValuesChange: onChange })}
      >
        {children}
      </Form>
    </Modal>
  )
}

type ConfirmProps = {
  title: string
  text: string
  submit: string
  /** The label of the button that only closes the dialog; by default Ant Design's "Cancel". */
  back?: string
  pending?: boolean
  onConfirm: () => void
  onClose: () => void
}

/** Asks for confirmation of a change. Mounted while it is open. */
export function ConfirmDialog({
  title,
  text,
  submit,
  back,
  pending = false,
  onConfirm,
  onClose,
}: ConfirmProps) {
  useReturnFocus()
  return (
    <Modal
      open
      title={title}
      width={440}
      okText={submit}
      okButtonProps={{ danger: true }}
      {...(back ? { cancelText: back } : {})}
      confirmLoading={pending}
      onOk={onConfirm}
      onCancel={onClose}
    >
      <p>{text}</p>
    </Modal>
  )
}
