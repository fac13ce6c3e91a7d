import { Button, Input } from 'antd'
import { languages, type Language } from '@/locales/languages'
import { fill } from '@/messages'
import { isLanguage } from '@/language'
import { Icon } from '@/ui/icon'
import { messages } from '@/settings-messages'
import type { Pointer } from '@/features/settings/data/pointer'
import { moved, useList, useSectionForm } from './form'
import { FieldError, SettingGroup } from './setting'
import { settingText } from './texts'

const text = messages.officeSettings.fields

/** A button that removes an entry. `what` names the entry for screen readers. */
export function RemoveButton({ what, onRemove }: { what: string; onRemove: () => void }) {
  return (
    <Button
      type="text"
      icon={<Icon name="x" size={18} />}
      aria-label={fill(text.removeOf, { what })}
      onClick={onRemove}
    />
  )
}

export function AddButton({ label, onAdd }: { label: string; onAdd: () => void }) {
  return (
    <Button icon={<Icon name="plus" size={18} />} onClick={onAdd}>
      {label}
    </Button>
  )
}

/** A list of lines, such as an address. */
export function LinesSetting({ at, most }: { at: Pointer; most: number }) {
  const { entries, readOnly, set, add, remove } = useList<string>(at)
  const { errors, id } = useSectionForm()
  const { title } = settingText(at)
  return (
    <SettingGroup at={at}>
      <ol className="setting-list">
        {entries.map((line, index) => {
          const name = fill(text.entry, { setting: title, number: index + 1 })
          const error = errors[`${at}/${index}`]
          const errorId = `${id}${at.replaceAll('/', '-')}-${index}`
          return (
            <li key={index} className="setting-row">
              <Input
                aria-label={name}
                aria-invalid={error !== undefined}
                {...(error ? { 'aria-describedby': `${errorId}-error` } : {})}
                status={error ? 'error' : ''}
                disabled={readOnly}
                value={line}
                onChange={({ target }) =>
                  set(entries.map((other, place) => (place === index ? target.value : other)))
                }
              />
              {readOnly || entries.length === 1 ? null : (
                <RemoveButton what={name} onRemove={() => remove(index)} />
              )}
              <FieldError id={errorId} error={error} />
            </li>
          )
        })}
      </ol>
      {readOnly || entries.length >= most ? null : <AddButton label={text.addLine} onAdd={() => add('')} />}
    </SettingGroup>
  )
}

const all = Object.keys(languages) as Language[]

const nameOf = (language: string) => (isLanguage(language) ? languages[language].name : language)

/** Some of the languages of the screens, in an order. */
export function LanguagesSetting({ at }: { at: Pointer }) {
  const { entries, readOnly, set, add, remove } = useList<string>(at)
  const left = all.filter((language) => !entries.includes(language))
  return (
    <SettingGroup at={at}>
      <ol className="setting-list">
        {entries.map((language, index) => {
          const name = nameOf(language)
          return (
            <li key={language} className="setting-row">
              <span lang={language}>{name}</span>
              {readOnly ? null : (
                <span className="row-actions">
                  <Button
                    size="small"
                    disabled={index === 0}
                    aria-label={fill(text.upOf, { what: name })}
                    onClick={() => set(moved(entries, index, -1))}
                  >
                    {text.up}
                  </Button>
                  <Button
                    size="small"
                    disabled={index === entries.length - 1}
                    aria-label={fill(text.downOf, { what: name })}
                    onClick={() => set(moved(entries, index, 1))}
                  >
                    {text.down}
                  </Button>
                  {entries.length > 1 ? <RemoveButton what={name} onRemove={() => remove(index)} /> : null}
                </span>
              )}
            </li>
          )
        })}
      </ol>
      {readOnly ? null : (
        <span className="row-actions">
          {left.map((language) => (
            <Button
              key={language}
              icon={<Icon name="plus" size={18} />}
              lang={language}
              onClick={() => add(language)}
            >
              {nameOf(language)}
            </Button>
          ))}
        </span>
      )}
    </SettingGroup>
  )
}
