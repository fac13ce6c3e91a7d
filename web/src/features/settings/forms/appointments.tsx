import { Input, InputNumber } from 'antd'
import type { Values } from '@/features/settings/data/document'
import { ChoiceSetting, NumberSetting, SwitchSetting } from '@/features/settings/fields/controls'
import { useSectionForm } from '@/features/settings/fields/form'
import { AddButton, RemoveButton } from '@/features/settings/fields/lists'
import { FieldError, SettingGroup, useFieldError } from '@/features/settings/fields/setting'
import { settingText } from '@/features/settings/fields/texts'
import { fill } from '@/messages'
import { messages } from '@/settings-messages'
import { withMost, withoutSlot, withSlot } from './slots'

const { appointments: text, fields } = messages.officeSettings

const mostPlaces = 50

export function AppointmentsForm() {
  return (
    <>
      <ChoiceSetting at="/features/appointments" />
      <Slots />
      <NumberSetting at="/appointments/perSlot" least={0} most={mostPlaces} />
      <OtherNumbers />
      <NumberSetting at="/appointments/daysAhead" least={1} most={730} />
      <NumberSetting at="/appointments/leadMinutes" least={0} most={1_440} unit="minutes" />
      <NumberSetting at="/appointments/changeUntilMinutes" least={0} most={2_880} unit="minutes" />
      <SwitchSetting at="/appointments/remindDayBefore" />
      <NumberSetting at="/appointments/remindMinutesBefore" least={0} most={480} unit="minutes" />
      <ChoiceSetting at="/appointments/feedNames" />
    </>
  )
}

/** The number of appointments of each time. An empty field has the usual number, which is its placeholder. */
function OtherNumbers() {
  const { value, readOnly, change } = useSectionForm()
  const fieldError = useFieldError()
  const whole = value as Values['appointments']
  const { appointmentSlots: slots, appointments } = whole
  const { title } = settingText('/appointments/byTime')
  return (
    <SettingGroup at="/appointments/byTime">
      <ul className="setting-list setting-slots">
        {slots
          .filter((slot) => slot !== '')
          .map((slot, index) => {
            const { control, shown } = fieldError(`/appointments/byTime/${slot}`)
            return (
              <li key={index} className="setting-line">
                <span aria-hidden="true">{slot}</span>
                <InputNumber
                  aria-label={fill(fields.entry, { setting: title, number: slot })}
                  {...control}
                  disabled={readOnly}
                  controls={false}
                  min={0}
                  max={mostPlaces}
                  precision={0}
                  placeholder={String(appointments.perSlot)}
                  value={appointments.byTime[slot] ?? null}
                  onChange={(most) => change(withMost(whole, slot, most))}
                />
                <FieldError {...shown} />
              </li>
            )
          })}
      </ul>
    </SettingGroup>
  )
}

/** The times that can be chosen. A time that goes takes its own number of appointments with it. */
function Slots() {
  const { value, readOnly, change } = useSectionForm()
  const fieldError = useFieldError()
  const appointments = value as Values['appointments']
  const { appointmentSlots: slots } = appointments
  return (
    <SettingGroup at="/appointmentSlots">
      <ul className="setting-list setting-slots">
        {slots.map((slot, index) => {
          const name = fill(fields.entry, { setting: text.time, number: index + 1 })
          const { control, shown } = fieldError(`/appointmentSlots/${index}`)
          return (
            <li key={index} className="setting-line">
              <Input
                type="time"
                aria-label={name}
                {...control}
                disabled={readOnly}
                value={slot}
                onChange={({ target }) => change(withSlot(appointments, index, target.value))}
              />
              {readOnly || slots.length === 1 ? null : (
                <RemoveButton what={name} onRemove={() => change(withoutSlot(appointments, index))} />
              )}
              <FieldError {...shown} />
            </li>
          )
        })}
      </ul>
      {readOnly ? null : (
        <AddButton label={text.addTime} onAdd={() => change(withSlot(appointments, slots.length, ''))} />
      )}
    </SettingGroup>
  )
}
