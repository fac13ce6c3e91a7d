import { Button, Input } from 'antd'
import type { MouseEvent } from 'react'
import { flushSync } from 'react-dom'
import { languages, type Language } from '@/locales/languages'
import { fill } from '@/messages'
import { isLanguage } from '@/language'
import { Icon } from '@/ui/icon'
import { messages } from '@/settings-messages'
import type { Pointer } from '@/features/settings/data/pointer'
import { useList } from './form'
import { FieldError, SettingGroup, useFieldError } from './setting'
import { settingText } from './texts'

const text = messages.officeSettings.fields

/**
 * Makes the change of a button that may remove or disable the button. The focus then goes to another button beside it,
 * to the one that adds to the same list, or to the heading of the section.
 */
function press({ currentTarget: button }: MouseEvent<HTMLElement>, change: () => void) {
  const beside = button.closest('.row-actions')
  const list = button.closest('.day-times, fieldset')
  const section = button.closest('section')
  flushSync(change)
  if (button.isConnected && button.matches(':enabled')) return
  const next =
    (beside?.isConnected ? beside.querySelector<HTMLElement>('button:enabled') : undefined) ??
    [...(list?.querySelectorAll<HTMLElement>('.setting-add') ?? [])].at(-1) ??
    section?.querySelector('h3')
  next?.focus()
}

/** A button that removes an entry. `what` names the entry for screen readers. */
export function RemoveButton({ what, onRemove }: { what: string; onRemove: () => void }) {
  return (
    <Button
      type="text"
      icon={<Icon name="x" size={18} />}
      aria-label={fill(text.removeOf, { what })}
      onClick={(event) => press(event, onRemove)}
    />
  )
}

type AddProps = { label: string; lang?: string; onAdd: () => void }

export function AddButton({ label, lang, onAdd }: AddProps) {
  return (
    <Button
      className="setting-add"
      icon={<Icon name="plus" size={18} />}
      {...(lang ? { lang } : {})}
      onClick={(event) => press(event, onAdd)}
    >
      {label}
    </Button>
  )
}

/** A list of lines, such as an address. */
export function LinesSetting({ at, most }: { at: Pointer; most: number }) {
  const { entries, readOnly, set, add, remove } = useList<string>(at)
  const fieldError = useFieldError()
  const { title } = settingText(at)
  return (
    <SettingGroup at={at}>
      <ol className="setting-list">
        {entries.map((line, index) => {
          const name = fill(text.entry, { setting: title, number: index + 1 })
          const { control, shown } = fieldError(`${at}/${index}`)
          return (
            <li key={index} className="setting-row">
              <Input
                aria-label={name}
                {...control}
                disabled={readOnly}
                value={line}
                onChange={({ target }) =>
                  set(entries.map((other, place) => (place === index ? target.value : other)))
                }
              />
              {readOnly || entries.length === 1 ? null : (
                <RemoveButton what={name} onRemove={() => remove(index)} />
              )}
              <FieldError {...shown} />
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
  const { entries, readOnly, add, remove, move } = useList<string>(at)
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
                    onClick={(event) => press(event, () => move(index, -1))}
                  >
                    {text.up}
                  </Button>
                  <Button
                    size="small"
                    disabled={index === entries.length - 1}
                    aria-label={fill(text.downOf, { what: name })}
                    onClick={(event) => press(event, () => move(index, 1))}
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
            <AddButton key={language} label={nameOf(language)} lang={language} onAdd={() => add(language)} />
          ))}
        </span>
      )}
    </SettingGroup>
  )
}
