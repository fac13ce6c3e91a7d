import { Form, Select, type FormInstance } from 'antd'
import { useEffect, type ReactNode } from 'react'
import type { NewVisit, Visitor } from '@/api/types'
import { languages, type Language } from '@/locales/languages'
import { messages } from '@/staff-messages'
import { useShortcuts } from '@/ui/shortcuts'

/** The languages that the office offers, its default first. */
type Offered = readonly Language[]

type FieldProps = { offered: Offered; locked: boolean }

/** The visitor's language. It follows the fields in which Enter submits. The office's default is not sent. */
export function LanguageField({ offered, locked }: FieldProps) {
  if (offered.length < 2) return null
  return (
    <Form.Item
      name="language"
      label={messages.visitorLanguage.title}
      getValueProps={(value?: Language) => ({ value: value ?? offered[0] })}
    >
      <LanguageSelect offered={offered} locked={locked} />
    </Form.Item>
  )
}

type SelectProps = FieldProps & { id?: string; value?: Language; onChange?: (language: Language) => void }

/** F4 selects the next language. The focus stays in its field, so the language is announced. */
function LanguageSelect({ offered, locked, ...field }: SelectProps) {
  useShortcuts({
    F4: () => {
      const next = offered[(offered.findIndex((name) => name === field.value) + 1) % offered.length]
      if (next && !locked) field.onChange?.(next)
    },
  })
  return (
    <div aria-live="polite">
      <Select<Language>
        {...field}
        aria-keyshortcuts="F4"
        popupMatchSelectWidth={false}
        options={offered.map((name) => ({
          value: name,
          label: <span lang={name}>{languages[name].name}</span>,
        }))}
      />
    </div>
  )
}

type InProps = {
  form: FormInstance<NewVisit>
  offered: Offered
  children: (language: Language) => ReactNode
}

/** A part of the form in the language of the visitor. */
export function InVisitorLanguage({ form, offered, children }: InProps) {
  const chosen = Form.useWatch('language', form)
  return children(offered.find((name) => name === chosen) ?? offered[0] ?? 'en')
}

/** Selects the language of a returning visitor's last visit, unless one was chosen. The office's default is not set. */
export function useLastLanguage(
  form: FormInstance<NewVisit>,
  visitor: Visitor | null | undefined,
  offered: Offered,
) {
  const last = offered.slice(1).find((name) => name === visitor?.language)
  useEffect(() => {
    const set = (language: Language | undefined) => {
      if (!form.isFieldTouched('language'))
        form.setFields([{ name: 'language', value: language, touched: false }])
    }
    if (!last) return undefined
    set(last)
    return () => set(undefined)
  }, [form, last])
}
