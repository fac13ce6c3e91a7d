import { Input, InputNumber, Radio, Select, Switch } from 'antd'
import type { Pointer } from '@/features/settings/data/pointer'
import { messages } from '@/settings-messages'
import { useSetting } from './form'
import { optionsAt } from './options'
import { Setting, SettingGroup } from './setting'

const text = messages.officeSettings.fields

type TextProps = {
  at: Pointer
  /** The setting that the text translates. */
  of?: Pointer
  /** Whether the document may lack the text. */
  optional?: boolean
  most?: number
  /** The number of lines of a longer text. */
  rows?: number
  type?: 'email' | 'tel'
  lang?: string
}

export const stringOf = (value: unknown) => (typeof value === 'string' ? value : '')
const numberOf = (value: unknown) => (typeof value === 'number' ? value : null)

/** A text in one line, or in several. */
export function TextSetting({ at, of, optional = false, most, rows, type, lang }: TextProps) {
  const { value, set: change } = useSetting(at)
  const set = (typed: string) => change(optional && typed === '' ? undefined : typed)
  const props = {
    value: stringOf(value),
    ...(most === undefined ? {} : { maxLength: most }),
    ...(lang ? { lang } : {}),
  }
  return (
    <Setting at={at} of={of}>
      {(control) =>
        rows ? (
          <Input.TextArea {...control} {...props} rows={rows} onChange={({ target }) => set(target.value)} />
        ) : (
          <Input
            {...control}
            {...props}
            {...(type ? { type } : {})}
            autoComplete="off"
            onChange={({ target }) => set(target.value)}
          />
        )
      }
    </Setting>
  )
}

type NumberProps = { at: Pointer; least: number; most: number; unit?: 'minutes' | 'seconds' | 'hoursUnit' }

/** A whole number. While the field is empty, the setting has no value, and the server says so. */
export function NumberSetting({ at, least, most, unit }: NumberProps) {
  const { value, set } = useSetting(at)
  return (
    <Setting at={at}>
      {(control) => (
        <span className="setting-line">
          <InputNumber
            {...control}
            controls={false}
            min={least}
            max={most}
            precision={0}
            value={numberOf(value)}
            onChange={set}
          />
          {unit ? <span>{text[unit]}</span> : null}
        </span>
      )}
    </Setting>
  )
}

/** One of a few values: all are shown. */
export function ChoiceSetting({ at }: { at: Pointer }) {
  const { value, set, readOnly } = useSetting(at)
  return (
    <SettingGroup at={at}>
      <Radio.Group
        className="setting-choice"
        disabled={readOnly}
        options={optionsAt(at)}
        value={stringOf(value)}
        onChange={({ target }) => set(target.value)}
      />
    </SettingGroup>
  )
}

/** One of many values. */
export function SelectSetting({ at }: { at: Pointer }) {
  const { value, set } = useSetting(at)
  return (
    <Setting at={at}>
      {(control) => (
        <Select
          {...control}
          options={optionsAt(at)}
          value={stringOf(value)}
          popupMatchSelectWidth={false}
          onChange={set}
        />
      )}
    </Setting>
  )
}

export function SwitchSetting({ at }: { at: Pointer }) {
  const { value, set } = useSetting(at)
  return (
    <Setting at={at}>
      {({ id, disabled, 'aria-describedby': about }) => (
        <Switch
          id={id}
          disabled={disabled}
          aria-describedby={about}
          checked={value === true}
          onChange={set}
        />
      )}
    </Setting>
  )
}
