import { useMutation } from '@tanstack/react-query'
import { Form, Input, Modal, Select } from 'antd'
import { useFormDraft } from '@/drafts'
import { typedAddress } from '@/email-address'
import { messages } from '@/staff-messages'
import { FormDialog } from '@/ui/form-dialog'
import { useReturnFocus } from '@/ui/use-return-focus'
import { InviteLink } from './invite-link-field'
import { roles, type Staff } from './models'
import { addStaff, saveStaff, type StaffChange, type StaffForm } from './mutations'

const text = messages.directory.staff

/** Creates an account. The link for setting its password is shown once. */
export function AddStaffDialog({ onClose }: { onClose: () => void }) {
  useReturnFocus()
  const [form] = Form.useForm<StaffForm>()
  const kept = useFormDraft<StaffForm>('staff/new')
  const add = useMutation(addStaff)
  const invite = add.data

  const close = () => {
    kept.forget()
    onClose()
  }
  const submit = (values: StaffForm) =>
    add.mutate(values, {
      onSuccess: (url) => {
        kept.forget()
        if (!url) onClose()
      },
    })

  return (
    <Modal
      open
      title={text.add}
      okText={text.add}
      confirmLoading={add.isPending}
      onOk={form.submit}
      onCancel={close}
      {...(invite ? { footer: null } : {})}
    >
      {invite ? (
        <InviteLink {...add.variables} url={invite} />
      ) : (
        <Form<StaffForm>
          name="new-staff"
          form={form}
          layout="vertical"
          requiredMark={false}
          initialValues={{ role: 'consultant', ...kept.values() }}
          onValuesChange={kept.keep}
          onFinish={submit}
        >
          <NameField />
          <Form.Item
            name="email"
            label={text.email}
            normalize={typedAddress}
            rules={[{ required: true, message: text.emailRequired }]}
          >
            <Input inputMode="email" autoComplete="off" />
          </Form.Item>
          <Form.Item name="role" label={text.role}>
            <Select options={roles} />
          </Form.Item>
        </Form>
      )}
    </Modal>
  )
}

type EditProps = {
  staff: Staff
  own: boolean
  /** Calls `go` once no visitor waits for this consultant alone. */
  onLeave: (staff: Staff, go: () => void) => void
  onClose: () => void
}

export function EditStaffDialog({ staff, own, onLeave, onClose }: EditProps) {
  const [form] = Form.useForm<StaffChange>()
  const kept = useFormDraft<StaffChange>(`staff/${staff.id}`)
  const save = useMutation(saveStaff)
  const close = () => {
    kept.forget()
    onClose()
  }
  const submit = (values: StaffChange) => {
    const send = () => save.mutate({ before: staff, form: values }, { onSuccess: close })
    if (values.role === staff.role) send()
    else onLeave(staff, send)
  }

  return (
    <FormDialog<StaffChange>
      name="staff"
      title={text.editTitle}
      submit={text.save}
      form={form}
      values={{ ...staff, specialization: staff.consultant?.specialization, ...kept.values() }}
      pending={save.isPending}
      onChange={kept.keep}
      onSubmit={submit}
      onClose={close}
    >
      <NameField />
      <Form.Item name="role" label={text.role} extra={own ? text.ownRole : undefined}>
        <Select options={roles} disabled={own} />
      </Form.Item>
      {staff.consultant ? (
        <Form.Item
          name="specialization"
          label={text.specialization}
          rules={[{ required: true, type: 'array', message: text.specializationRequired }]}
        >
          <Select mode="tags" tokenSeparators={[',']} maxCount={20} />
        </Form.Item>
      ) : null}
    </FormDialog>
  )
}

function NameField() {
  return (
    <Form.Item
      name="name"
      label={text.name}
      rules={[{ required: true, whitespace: true, message: text.nameRequired }]}
    >
      <Input maxLength={100} autoFocus />
    </Form.Item>
  )
}
