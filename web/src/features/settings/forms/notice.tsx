import { Input, Select } from 'antd'
import { useState } from 'react'
import type { Notice } from '@/features/settings/data/document'
import { memberOf, type Pointer } from '@/features/settings/data/pointer'
import { TextSetting } from '@/features/settings/fields/controls'
import { useList, useSectionForm, useSetting } from '@/features/settings/fields/form'
import { AddButton, RemoveButton } from '@/features/settings/fields/lists'
import { FieldError, useFieldError } from '@/features/settings/fields/setting'
import { settingText } from '@/features/settings/fields/texts'
import { fill } from '@/messages'
import { messages } from '@/settings-messages'
import { noticeLanguages, purposeKeys, type Purpose } from './notice-languages'

const { notice: text, changes, fields } = messages.officeSettings

const own = 'en'

/** The notice in one language at a time. English is its own text. */
export function NoticeForm() {
  const [language, setLanguage] = useState(own)
  const { value, set, readOnly } = useSetting('/notice')
  const { offered, id } = useSectionForm()
  const fieldError = useFieldError()
  const field = `${id}-language`
  const { translations = {} } = value as Notice
  const written = language === own || Object.hasOwn(translations, language)
  const at: Pointer = language === own ? '/notice' : memberOf('/notice/translations', language)
  const begin = () =>
    set({ ...(value as Notice), translations: { ...translations, [language]: { title: '', text: '' } } })
  const choices = [...new Set([own, ...offered, ...Object.keys(translations), ...noticeLanguages])]
  return (
    <>
      <TextSetting at="/notice/version" />
      <p className="setting-hint">{text.newVersion}</p>
      <TextSetting at="/notice/contact" />
      <div className="setting">
        <label htmlFor={field}>{text.language}</label>
        <Select
          id={field}
          showSearch={{ optionFilterProp: 'title' }}
          options={choices.map((name) => ({
            value: name,
            title: nameOf(name),
            label: <span lang={name}>{nameOf(name)}</span>,
          }))}
          value={language}
          onChange={setLanguage}
        />
      </div>
      {written ? (
        <TextsOfNotice key={language} at={at} language={language} />
      ) : (
        <>
          {offered.includes(language) ? <p className="setting-error">{text.missing}</p> : null}
          <FieldError {...fieldError(at).shown} />
          {readOnly ? null : <AddButton label={text.addLanguage} onAdd={begin} />}
        </>
      )}
    </>
  )
}

type PartProps = { at: Pointer; language: string }

function TextsOfNotice({ at, language }: PartProps) {
  return (
    <>
      <TextSetting at={memberOf(at, 'title')} of="/notice/title" lang={language} />
      <TextSetting at={memberOf(at, 'text')} of="/notice/text" lang={language} rows={10} />
      <Purposes at={memberOf(at, 'purposes')} language={language} />
      <TextSetting at={memberOf(at, 'children')} of="/notice/children" lang={language} rows={2} optional />
    </>
  )
}

function Purposes({ at, language }: PartProps) {
  const { entries, readOnly, set } = useList<Purpose>(at)
  const fieldError = useFieldError()
  const { title, description } = settingText('/notice/purposes')
  const change = (index: number, part: Partial<Purpose>) =>
    set(entries.map((purpose, other) => (other === index ? { ...purpose, ...part } : purpose)))
  const left = purposeKeys.filter((key) => entries.every((purpose) => purpose.key !== key))
  return (
    <fieldset className="setting">
      <legend>{title}</legend>
      <p className="setting-hint">{description}</p>
      <FieldError {...fieldError(at).shown} />
      {entries.map((purpose, index) => {
        const name = text.purposes[purpose.key]
        const errorOf = (part: 'key' | 'title' | 'text') => fieldError(memberOf(memberOf(at, index), part))
        return (
          <div key={purpose.key} className="setting-entry">
            <span className="setting-row">
              <b>{name}</b>
              {readOnly ? null : <RemoveButton what={name} onRemove={() => set(without(entries, index))} />}
            </span>
            <Input
              aria-label={fill(fields.inLanguage, { setting: name, language: text.purposeTitle })}
              {...errorOf('title').control}
              lang={language}
              disabled={readOnly}
              value={purpose.title}
              onChange={({ target }) => change(index, { title: target.value })}
            />
            <FieldError {...errorOf('key').shown} />
            <FieldError {...errorOf('title').shown} />
            <Input.TextArea
              aria-label={fill(fields.inLanguage, { setting: name, language: text.purposeText })}
              {...errorOf('text').control}
              lang={language}
              rows={2}
              disabled={readOnly}
              value={purpose.text}
              onChange={({ target }) => change(index, { text: target.value })}
            />
            <FieldError {...errorOf('text').shown} />
          </div>
        )
      })}
      {readOnly
        ? null
        : left.map((key) => (
            <AddButton
              key={key}
              label={fill(changes.set, { setting: text.addPurpose, value: text.purposes[key] })}
              onAdd={() => set([...entries, { key, title: '', text: '' }])}
            />
          ))}
    </fieldset>
  )
}

/** The purposes without one; a notice without purposes has no list. */
function without(purposes: readonly Purpose[], index: number): Purpose[] | undefined {
  const left = purposes.filter((_purpose, other) => other !== index)
  return left.length > 0 ? left : undefined
}

const names = new Map<string, string>()

/** The name of a language in that language. */
function nameOf(language: string): string {
  const known = names.get(language)
  if (known !== undefined) return known
  const name = new Intl.DisplayNames(language, { type: 'language' }).of(language) ?? language
  names.set(language, name)
  return name
}
