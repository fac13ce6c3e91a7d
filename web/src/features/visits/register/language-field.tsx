import { Form, Select } from 'antd'
import { languages, type Language } from '@/locales/languages'
import { messages } from '@/staff-messages'

/** The visitor's language, one of the office's, the default first. The default is sent only if chosen. */
export function LanguageField({ offered }: { offered: readonly Language[] }) {
  if (offered.length < 2) return null
  return (
    <Form.Item
      name="language"
      label={messages.visitorLanguage.title}
      getValueProps={(value?: Language) => ({ value: value ?? offered[0] })}
    >
      <Select<Language>
        aria-keyshortcuts="F4"
        popupMatchSelectWidth={false}
        options={offered.map((name) => ({
          value: name,
          label: <span lang={name}>{languages[name].name}</span>,
        }))}
      />
    </Form.Item>
  )
}
