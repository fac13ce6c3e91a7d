import type { ReactNode } from 'react'
import {
  ChoiceSetting,
  NumberSetting,
  SelectSetting,
  SwitchSetting,
  TextSetting,
} from '@/features/settings/fields/controls'
import { HourSetting } from '@/features/settings/fields/hour'
import { LanguagesSetting, LinesSetting } from '@/features/settings/fields/lists'
import { messages } from '@/settings-messages'

const { desks } = messages.officeSettings

export function ContactForm() {
  return (
    <>
      <TextSetting at="/brand" />
      <TextSetting at="/area" />
      <TextSetting at="/city" />
      <TextSetting at="/phone" type="tel" />
      <TextSetting at="/email" type="email" />
      <LinesSetting at="/address" most={6} />
      <LinesSetting at="/landmarks" most={8} />
      <TextSetting at="/mapsQuery" />
    </>
  )
}

export function LanguagesForm() {
  return <LanguagesSetting at="/languages" />
}

const longestKept = 35_040

export function CheckInForm() {
  return (
    <>
      <ChoiceSetting at="/checkIn" />
      <ChoiceSetting at="/back" />
      <NumberSetting at="/arrivalsKept" least={0} most={longestKept} unit="hoursUnit" />
    </>
  )
}

export function MessagesForm() {
  return (
    <>
      <ChoiceSetting at="/messages" />
      <HourSetting at="/messageHours" />
    </>
  )
}

export function VoiceForm() {
  return (
    <>
      <LanguagesSetting at="/voice/order" />
      <NumberSetting at="/voice/most" least={1} most={3} />
    </>
  )
}

const longestNotice = 80

export function BoardForm() {
  return (
    <>
      <NumberSetting at="/board/next" least={0} most={4} />
      <TextSetting at="/board/notice" most={longestNotice} />
    </>
  )
}

const mostMinutes = 240

export function LineForm() {
  const minutes = { least: 0, most: mostMinutes, unit: 'minutes' } as const
  return (
    <>
      <NumberSetting at="/queue/allowances/normal" {...minutes} />
      <NumberSetting at="/queue/allowances/deadline" {...minutes} />
      <NumberSetting at="/queue/allowances/priority" {...minutes} />
      <NumberSetting at="/queue/allowances/appointment" {...minutes} />
      <NumberSetting at="/queue/maxBypass" least={1} most={20} />
      <SwitchSetting at="/queue/handPick" />
      <NumberSetting at="/queue/lateAppointmentMinutes" {...minutes} />
      <NumberSetting at="/queue/nudgeAfterSeconds" least={30} most={1_800} unit="seconds" />
      <NumberSetting at="/queue/autoRecall" least={0} most={3} />
      <NumberSetting at="/queue/missAfterSeconds" least={0} most={600} unit="seconds" />
      <NumberSetting at="/queue/autoMissAfterSeconds" least={0} most={3_600} unit="seconds" />
      <SelectSetting at="/queue/return" />
      <NumberSetting at="/queue/sweepMinutesAfterClosing" {...minutes} />
      <SwitchSetting at="/queue/requireCounter" />
    </>
  )
}

/** `numbers` are the numbers of the consultants' desks, which are no part of the document. */
export function DesksForm({ numbers }: { numbers: ReactNode }) {
  return (
    <>
      <SwitchSetting at="/offline/on" />
      <section className="setting" aria-label={desks.title}>
        <h4>{desks.title}</h4>
        <p className="setting-hint">{desks.hint}</p>
        {numbers}
      </section>
    </>
  )
}

export function AccessForm() {
  return (
    <>
      <ChoiceSetting at="/features/registration" />
      <SwitchSetting at="/features/debug" />
    </>
  )
}
