import { Select } from 'antd'
import { memberOf, type Pointer } from '@/features/settings/data/pointer'
import { fill } from '@/messages'
import { messages } from '@/settings-messages'
import { hourOfDay } from '@/ui/time-of-day'
import { useSetting } from './form'
import { FieldError, SettingGroup, useFieldError } from './setting'
import { settingText } from './texts'

const { hours, fields } = messages.officeSettings

type Props = { at: Pointer }

/** Two hours of the day: the first one, and the one at which it ends. */
export function HourSetting({ at }: Props) {
  return (
    <SettingGroup at={at}>
      <span className="setting-line">
        <HourSelect at={memberOf(at, 'from')} name={hours.from} first={0} />
        <span aria-hidden="true">{hours.to}</span>
        <HourSelect at={memberOf(at, 'until')} name={hours.to} first={1} />
      </span>
    </SettingGroup>
  )
}

function HourSelect({ at, name, first }: Props & { name: string; first: 0 | 1 }) {
  const { value, set, readOnly, id } = useSetting(at)
  const { control, shown } = useFieldError()(at)
  const choices = Array.from({ length: 24 }, (_, index) => index + first)
  return (
    <>
      <Select
        id={id}
        aria-label={fill(fields.inLanguage, { setting: settingText(at).title, language: name })}
        {...control}
        disabled={readOnly}
        options={choices.map((hour) => ({ value: hour, label: hourOfDay(hour) }))}
        value={typeof value === 'number' ? value : null}
        onChange={set}
      />
      <FieldError {...shown} />
    </>
  )
}
