import type { components } from './directory'

/** The public office document: contact data and services. */
export type Office = components['schemas']['Office']
export type OfficeHours = components['schemas']['OfficeHours']
