import { useMutation } from '@tanstack/react-query'
import { Button, Form, Input, InputNumber, Modal, Radio } from 'antd'
import { messages } from '@/admin-messages'
import type { ChangeDevice, Device } from '@/api/types'
import { fill } from '@/messages'
import { FormDialog } from '@/ui/form-dialog'
import { useReturnFocus } from '@/ui/use-return-focus'
import { addScreen, saveScreen, type NewDevice } from './queries'

const text = messages.screens

const longestName = 40

/** The address that is opened on a screen. */
export const boardAddress = () => `${location.host}/board`

function NameField() {
  return (
    <Form.Item
      name="name"
      label={text.nameField}
      rules={[{ required: true, whitespace: true, message: text.nameRequired }]}
    >
      <Input maxLength={longestName} autoComplete="off" />
    </Form.Item>
  )
}

const kinds = [
  { value: 'display', label: text.kindDisplay },
  { value: 'desk', label: text.kindDesk },
]

type AddProps = {
  /** Whether desks can be paired. */
  desks: boolean
  onClose: () => void
}

/** Creates a screen or a desk, then shows its pairing code. */
export function AddScreenDialog({ desks, onClose }: AddProps) {
  useReturnFocus()
  const [form] = Form.useForm<NewDevice>()
  const add = useMutation(addScreen)
  if (add.data)
    return <PairingCode code={add.data.pairing_code} kind={add.data.device.kind} onClose={onClose} />
  return (
    <Modal
      open
      title={text.addTitle}
      okText={text.add}
      confirmLoading={add.isPending}
      onOk={form.submit}
      onCancel={onClose}
    >
      <Form
        name="new-screen"
        form={form}
        layout="vertical"
        requiredMark={false}
        initialValues={{ kind: 'display' }}
        onFinish={(device) => add.mutate({ ...device, kind: desks ? device.kind : 'display' })}
      >
        {desks ? (
          <Form.Item name="kind" label={text.kindField}>
            <Radio.Group options={kinds} />
          </Form.Item>
        ) : null}
        <NameField />
      </Form>
    </Modal>
  )
}

type CodeProps = { code: string; kind: Device['kind']; onClose: () => void }

function PairingCode({ code, kind, onClose }: CodeProps) {
  return (
    <Modal
      open
      title={text.codeTitle}
      onCancel={onClose}
      footer={
        <Button type="primary" onClick={onClose}>
          {text.done}
        </Button>
      }
    >
      <p>{kind === 'desk' ? text.codeHintDesk : fill(text.codeHint, { address: boardAddress() })}</p>
      <output className="pairing-code" aria-label={text.codeTitle}>
        {code}
      </output>
    </Modal>
  )
}

type Values = { name: string; volume: number; quietFrom: string; quietUntil: string }

const time = /^([01]\d|2[0-3]):[0-5]\d$/

const isQuiet = ({ quietFrom, quietUntil }: Pick<Values, 'quietFrom' | 'quietUntil'>) =>
  (quietFrom === '' && quietUntil === '') || (time.test(quietFrom) && time.test(quietUntil))

const bodyOf = ({ name, volume, quietFrom, quietUntil }: Values): ChangeDevice => ({
  name,
  volume,
  quietFrom,
  quietUntil,
})

export function EditScreenDialog({ screen, onClose }: { screen: Device; onClose: () => void }) {
  const [form] = Form.useForm<Values>()
  const save = useMutation(saveScreen)
  const { id, name, volume, quietFrom, quietUntil } = screen
  return (
    <FormDialog<Values>
      name="screen"
      title={text.editTitle}
      submit={text.save}
      form={form}
      values={{ name, volume, quietFrom: quietFrom ?? '', quietUntil: quietUntil ?? '' }}
      pending={save.isPending}
      onSubmit={(values) =>
        save.mutate(
          { id, body: screen.kind === 'desk' ? { name: values.name } : bodyOf(values) },
          { onSuccess: onClose },
        )
      }
      onClose={onClose}
    >
      <NameField />
      {screen.kind === 'desk' ? null : <VoiceFields />}
    </FormDialog>
  )
}

function VoiceFields() {
  return (
    <>
      <Form.Item name="volume" label={text.volumeField}>
        <InputNumber controls={false} min={0} max={100} step={5} suffix="%" />
      </Form.Item>
      <div className="screen-quiet">
        <Form.Item name="quietFrom" label={text.quietFrom}>
          <Input type="time" />
        </Form.Item>
        <Form.Item
          name="quietUntil"
          label={text.quietUntil}
          dependencies={['quietFrom']}
          rules={[
            ({ getFieldsValue }) => ({
              validator: () =>
                isQuiet(getFieldsValue() as Values)
                  ? Promise.resolve()
                  : Promise.reject(new Error(text.quietWrong)),
            }),
          ]}
        >
          <Input type="time" />
        </Form.Item>
      </div>
      <p>{text.quietHint}</p>
    </>
  )
}
