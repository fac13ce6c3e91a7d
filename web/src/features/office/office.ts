import type { components } from '@/api/directory'

/** Who the office is and what it offers: the office document, shown to everybody. */
export type Office = components['schemas']['Office']
export type OfficeHours = components['schemas']['OfficeHours']
