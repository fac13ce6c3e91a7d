import type { components } from '@/api/directory'

type Schemas = components['schemas']

/** The values of the sections, each with exactly the keys of its section. */
export type Values = Schemas['OfficeSections']
export type SectionKey = keyof Values
export type Value = Values[SectionKey]

export type HoursValue = Values['hours']
export type Hours = HoursValue['hours'][number]
export type Break = NonNullable<Hours['breaks']>[number]
export type YearlyDay = HoursValue['yearly'][number]
export type SpecialDay = HoursValue['specialDays'][number]
export type Notice = Values['notice']['notice']

export type Settings = Schemas['SettingsAnswer']['office']
export type Section<Key extends SectionKey = SectionKey> = Settings['sections'][Key]
export type Change = Schemas['SettingChange']
export type Effect = Schemas['SettingEffect']
export type Version = Schemas['OfficeVersion']
export type Holiday = Schemas['Holiday']
export type Setup = Schemas['SetupAnswer']['setup']

/** The sections in the order of the page. */
export const sectionKeys = [
  'hours',
  'contact',
  'page',
  'languages',
  'checkIn',
  'messages',
  'voice',
  'board',
  'line',
  'desks',
  'appointments',
  'access',
  'notice',
] as const satisfies readonly SectionKey[]

export const isSection = (key: string | null): key is SectionKey => sectionKeys.some((one) => one === key)
