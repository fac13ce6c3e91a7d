import { Form, type FormInstance } from 'antd'
import type { ReactNode } from 'react'
import type { NewVisit } from '@/api/types'
import type { ServiceChoice } from '@/features/visits/data/action-context'
import type { Language } from '@/locales/languages'
import { messages } from '@/staff-messages'
import { Checklist } from './checklist'
import { ClassSelect } from './class-select'
import { LanguageField } from './language-field'
import { ToldField } from './told-field'
import './form-more.css'

export type MoreProps = {
  form: FormInstance<NewVisit>
  services: readonly ServiceChoice[]
  /** The languages that the office offers. */
  languages: readonly Language[]
  /** The privacy notice, in the visitor's language. */
  notice: (language: Language) => ReactNode
}

/** The fields that most registrations leave as they are. */
export function FormMore({ form, services, languages, notice }: MoreProps) {
  const chosen = Form.useWatch('language', form)
  const language = languages.find((name) => name === chosen) ?? languages[0] ?? 'en'
  return (
    <>
      <div className="visit-form-details">
        <ClassField />
        <LanguageField offered={languages} />
      </div>
      {notice(language)}
      <ToldField form={form} />
      <PapersField form={form} services={services} />
    </>
  )
}

/** The normal class is not sent. */
function ClassField() {
  return (
    <Form.Item
      name="class"
      label={messages.life.classes.title}
      getValueProps={(value?: string) => ({ value: value ?? 'normal' })}
      normalize={(value: string) => (value === 'normal' ? undefined : value)}
    >
      <ClassSelect />
    </Form.Item>
  )
}

/** The checklist of the chosen service. It is part of the registration if a box was ticked. */
function PapersField({ form, services }: Pick<MoreProps, 'form' | 'services'>) {
  const chosen = Form.useWatch('serviceId', form)
  const { papers = [] } = services.find(({ id }) => id === chosen) ?? {}
  if (papers.length === 0) return null
  return (
    <Form.Item name="documents" label={messages.papers.title}>
      <Checklist papers={[...papers]} />
    </Form.Item>
  )
}
