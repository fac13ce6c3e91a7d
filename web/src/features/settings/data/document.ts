import type { components } from '@/api/directory'

type Schemas = components['schemas']

/** The sections, each with its version, its last change and its value. */
export type Sections = Schemas['OfficeSettings']
export type SectionKey = keyof Sections
export type Section = Sections[SectionKey]
/** The values of the sections, each with exactly the keys of its section. */
export type Values = { [Key in SectionKey]: Sections[Key]['value'] }
export type Value = Values[SectionKey]

export type HoursValue = Values['hours']
export type Hours = Schemas['OfficeHours']
export type Break = Schemas['OfficeBreak']
export type YearlyDay = Schemas['OfficeYearlyDay']
export type SpecialDay = Schemas['OfficeSpecialDay']
export type Notice = Schemas['OfficeNotice']

export type Settings = Schemas['OfficeSettingsAnswer']['office']
export type Change = Schemas['OfficeChange']
export type Effect = Schemas['OfficeEffect']
/** An appointment that an effect concerns, with its day (YYYY-MM-DD) and time of day (HH:MM). */
export type Concerned = Effect['first'][number]
export type Version = Schemas['OfficeVersion']
export type Holiday = Schemas['HolidaysAnswer']['holidays'][number]

/** A value as the API document has it, which does not describe the values of the sections. */
export const sent = (value: Value) => value as unknown as Schemas['SaveOfficeSection']['value']

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
