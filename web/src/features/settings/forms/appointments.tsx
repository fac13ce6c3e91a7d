import { Input } from 'antd'
import type { Values } from '@/features/settings/data/document'
import { ChoiceSetting, NumberSetting } from '@/features/settings/fields/controls'
import { useSectionForm } from '@/features/settings/fields/form'
import { AddButton, RemoveButton } from '@/features/settings/fields/lists'
import { FieldError, SettingGroup, useFieldError } from '@/features/settings/fields/setting'
import { fill } from '@/messages'
import { messages } from '@/settings-messages'
import { withoutSlot, withSlot } from './slots'

const { appointments: text, fields } = messages.officeSettings

/** The settings of places, reminders and calendars are kept as they are: nothing applies them yet. */
export function AppointmentsForm() {
  return (
    <>
      <ChoiceSetting at="/features/appointments" />
      <Slots />
      <NumberSetting at="/appointments/daysAhead" least={1} most={730} />
      <NumberSetting at="/appointments/leadMinutes" least={0} most={1_440} unit="minutes" />
    </>
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
