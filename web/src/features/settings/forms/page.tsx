import { Input } from 'antd'
import type { Values } from '@/features/settings/data/document'
import { memberOf } from '@/features/settings/data/pointer'
import { textOf, withCertifications, withName, withText } from '@/features/settings/fields/certifications'
import { ChoiceSetting, NumberSetting, TextSetting } from '@/features/settings/fields/controls'
import { useList, useSectionForm, useSetting } from '@/features/settings/fields/form'
import { AddButton, RemoveButton } from '@/features/settings/fields/lists'
import { FieldError, SettingGroup, useFieldError } from '@/features/settings/fields/setting'
import { TextsIn } from '@/features/settings/fields/translations'
import { fill } from '@/messages'
import { messages } from '@/settings-messages'
import { withReasonIn, type Reason } from './reasons'

const { page: text, fields } = messages.officeSettings

type Page = Values['page']

const longestWait = 1_440

export function PageForm() {
  return (
    <>
      <TextSetting at="/claims/clients" />
      <TextSetting at="/claims/years" />
      <TextSetting at="/claims/support" />
      <NumberSetting at="/publishedWait" least={0} most={longestWait} unit="minutes" />
      <TextSetting at="/publishedPeak" />
      <Certifications />
      <Reasons />
      <ChoiceSetting at="/theme" />
    </>
  )
}

/** The certifications with their translations, which the document has apart from them. */
function Certifications() {
  const { value, readOnly, change } = useSectionForm()
  const fieldError = useFieldError()
  const page = value as Page
  const { certifications } = page
  return (
    <SettingGroup at="/certifications">
      <ol className="setting-list">
        {certifications.map((certification, index) => {
          const name = fill(fields.entry, { setting: text.certification, number: index + 1 })
          const { control, shown } = fieldError(`/certifications/${index}`)
          return (
            <li key={index} className="setting-entry">
              <span className="setting-row">
                <Input
                  aria-label={name}
                  {...control}
                  disabled={readOnly}
                  value={certification}
                  onChange={({ target }) => change(withName(page, index, target.value))}
                />
                {readOnly || certifications.length === 1 ? null : (
                  <RemoveButton
                    what={name}
                    onRemove={() => change(withCertifications(page, certifications.toSpliced(index, 1)))}
                  />
                )}
              </span>
              <FieldError {...shown} />
              <TextsIn
                name={name}
                at={(language) => memberOf(memberOf('/certificationTexts', language), certification)}
                textIn={(language) => textOf(page, certification, language)}
                onChange={(language, changed) => change(withText(page, certification, language, changed))}
              />
            </li>
          )
        })}
      </ol>
      {readOnly ? null : (
        <AddButton
          label={text.addCertification}
          onAdd={() => change(withCertifications(page, [...certifications, '']))}
        />
      )}
    </SettingGroup>
  )
}

function Reasons() {
  const { entries, readOnly, add, remove } = useList<Reason>('/whyUs')
  return (
    <SettingGroup at="/whyUs">
      <ol className="setting-list">
        {entries.map((_reason, index) => (
          <ReasonFields
            key={index}
            index={index}
            onRemove={readOnly || entries.length === 1 ? undefined : () => remove(index)}
          />
        ))}
      </ol>
      {readOnly ? null : <AddButton label={text.addReason} onAdd={() => add({ title: '', text: '' })} />}
    </SettingGroup>
  )
}

type ReasonProps = { index: number; onRemove: (() => void) | undefined }

function ReasonFields({ index, onRemove }: ReasonProps) {
  const { value, set, readOnly } = useSetting(`/whyUs/${index}`)
  const fieldError = useFieldError()
  const reason = value as Reason
  const name = fill(fields.entry, { setting: text.reason, number: index + 1 })
  const part = { title: text.reasonTitle, text: text.reasonText }
  const nameOf = (of: keyof typeof part) => fill(fields.inLanguage, { setting: name, language: part[of] })
  const errorOf = { title: fieldError(`/whyUs/${index}/title`), text: fieldError(`/whyUs/${index}/text`) }
  const texts = (of: keyof typeof part, rows?: number) => (
    <TextsIn
      name={nameOf(of)}
      {...(rows ? { rows } : {})}
      at={(language) => `/whyUs/${index}/texts/${language}/${of}`}
      textIn={(language) => reason.texts?.[language]?.[of] ?? ''}
      onChange={(language, changed) => set(withReasonIn(reason, language, of, changed))}
    />
  )
  return (
    <li className="setting-entry">
      <span className="setting-row">
        <Input
          aria-label={nameOf('title')}
          {...errorOf.title.control}
          disabled={readOnly}
          value={reason.title}
          onChange={({ target }) => set({ ...reason, title: target.value })}
        />
        {onRemove ? <RemoveButton what={name} onRemove={onRemove} /> : null}
      </span>
      <FieldError {...errorOf.title.shown} />
      {texts('title')}
      <Input.TextArea
        aria-label={nameOf('text')}
        {...errorOf.text.control}
        disabled={readOnly}
        rows={2}
        value={reason.text}
        onChange={({ target }) => set({ ...reason, text: target.value })}
      />
      <FieldError {...errorOf.text.shown} />
      {texts('text', 2)}
    </li>
  )
}
