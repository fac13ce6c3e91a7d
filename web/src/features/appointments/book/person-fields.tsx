import { Checkbox, Form, Input, Select } from 'antd'
import type { ReactNode } from 'react'
import type { Work } from '@/features/appointments/day/work'
import { languages as named } from '@/locales/languages'
import { messages } from '@/staff-messages'
import { searchByWord } from '@/ui/select-search'
import { tenDigits } from '@/ui/ten-digits'

const text = messages.day
const { form: words } = messages.appointments

export type Person = {
  name: string
  phone: string
  email?: string
  service_id: string
  message?: string
  language?: string
  messages?: boolean
}

type Props = { work: Work; onPhone?: (phone: string) => void; children?: ReactNode }

const longest = { name: 100, email: 254, message: 1_000 }

/** Who comes and for which service; `children` are the fields of the time. */
export function PersonFields({ work, onPhone, children }: Props) {
  const { languages } = work
  return (
    <>
      <Form.Item
        name="phone"
        label={words.phone}
        normalize={tenDigits}
        validateTrigger="onSubmit"
        rules={[
          { required: true, message: words.errors.phoneRequired },
          { pattern: /^[0-9]{10}$/, message: words.errors.phoneInvalid },
        ]}
      >
        <Input
          type="tel"
          inputMode="numeric"
          autoComplete="off"
          autoFocus
          onChange={({ target }) => onPhone?.(tenDigits(target.value))}
        />
      </Form.Item>
      <Form.Item
        name="name"
        label={words.name}
        rules={[{ required: true, whitespace: true, message: words.errors.nameRequired }]}
      >
        <Input maxLength={longest.name} autoComplete="off" />
      </Form.Item>
      <Form.Item
        name="service_id"
        label={words.service}
        rules={[{ required: true, message: words.errors.serviceRequired }]}
      >
        <Select
          showSearch={searchByWord}
          placeholder={words.chooseService}
          options={work.services.map(({ id, name }) => ({ value: id, label: name }))}
        />
      </Form.Item>
      {children}
      <Form.Item
        name="email"
        label={text.fields.email}
        rules={[{ type: 'email', message: words.errors.emailInvalid }]}
      >
        <Input maxLength={longest.email} autoComplete="off" />
      </Form.Item>
      <Form.Item name="message" label={words.message}>
        <Input.TextArea rows={2} maxLength={longest.message} />
      </Form.Item>
      {languages.length > 1 ? (
        <Form.Item name="language" label={messages.visitorLanguage.title}>
          <Select options={languages.map((value) => ({ value, label: named[value].name }))} />
        </Form.Item>
      ) : null}
      <Form.Item name="messages" valuePropName="checked">
        <Checkbox>{text.fields.messages}</Checkbox>
      </Form.Item>
    </>
  )
}
