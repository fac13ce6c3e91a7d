import type { components } from './directory'

/** The public office document, with the contact data, the opening hours and the services. */
export type Office = components['schemas']['Office']
export type OfficeHours = components['schemas']['OfficeHours']
