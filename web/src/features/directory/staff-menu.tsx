import { useMutation } from '@tanstack/react-query'
import { Button, Form, Input } from 'antd'
import { fill } from '@/messages'
import { messages } from '@/staff-messages'
import { ActionMenu } from '@/ui/action-menu'
import { ConfirmDialog, FormDialog } from '@/ui/form-dialog'
import { Icon } from '@/ui/icon'
import { longestCounter, type Staff } from './models'
import { endSessions, saveCounter } from './mutations'

const text = messages.directory.staff

const labels = { number: text.deskNumber, desk: text.deskChange, sessions: text.endSessionsMenu }

export type StaffChoice = keyof typeof labels

type MenuProps = {
  staff: Staff
  /** Whether the consultant has a desk whose state can be changed. */
  hasDesk: boolean
  onChoose: (choice: StaffChoice) => void
}

/** The rare actions on a member of staff, which have no button of their own. */
export function StaffMenu({ staff: { name, consultant }, hasDesk, onChoose }: MenuProps) {
  const choices: StaffChoice[] = [
    ...(consultant ? (['number'] as const) : []),
    ...(hasDesk ? (['desk'] as const) : []),
    'sessions',
  ]
  return (
    <ActionMenu
      placement="bottomRight"
      menu={{
        items: choices.map((key) => ({ key, label: labels[key] })),
        onClick: ({ key }) => {
          const choice = choices.find((one) => one === key)
          if (choice) onChoose(choice)
        },
      }}
    >
      <Button
        size="small"
        type="text"
        icon={<Icon name="more" size={18} />}
        aria-label={fill(text.menuOf, { name })}
        aria-haspopup="menu"
      />
    </ActionMenu>
  )
}

type DialogProps = { staff: Staff; onClose: () => void }

/** The desk number that is suggested to a consultant. */
export function DeskNumberDialog({ staff, onClose }: DialogProps) {
  const [form] = Form.useForm<{ counter: string }>()
  const save = useMutation(saveCounter)
  return (
    <FormDialog<{ counter: string }>
      name="desk-number"
      title={fill(text.deskNumberOf, { name: staff.name })}
      submit={text.save}
      form={form}
      values={{ counter: staff.consultant?.counter ?? '' }}
      pending={save.isPending}
      onSubmit={({ counter }) => save.mutate({ staff, counter: counter.trim() }, { onSuccess: onClose })}
      onClose={onClose}
    >
      <Form.Item name="counter" label={messages.life.desk.counter} extra={text.deskNumberHint}>
        <Input maxLength={longestCounter} autoComplete="off" autoFocus />
      </Form.Item>
    </FormDialog>
  )
}

/** Ends all sessions of a person, for example when a device with a session is lost or stolen. */
export function EndSessionsDialog({ staff: { id, name }, own, onClose }: DialogProps & { own: boolean }) {
  const end = useMutation(endSessions)
  return (
    <ConfirmDialog
      title={fill(text.endSessionsTitle, { name })}
      text={own ? text.endOwnSessionsText : fill(text.endSessionsText, { name })}
      submit={text.endSessions}
      back={text.keepSessions}
      pending={end.isPending}
      onConfirm={() => end.mutate(id, { onSettled: onClose })}
      onClose={onClose}
    />
  )
}
