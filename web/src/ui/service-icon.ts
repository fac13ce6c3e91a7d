import type { IconName } from './icon'

const icons = new Map<string, IconName>([
  ['ITR Filing', 'rupee'],
  ['GST Registration', 'stamp'],
  ['GST Return Filing', 'repeat'],
  ['Business Registration', 'building'],
  ['Business Advisory', 'chart'],
  ['Trademark Services', 'tm'],
  ['Audit Services', 'scan'],
  ['Tax Planning', 'plan'],
  ['Compliance Services', 'shield'],
  ['Bookkeeping', 'books'],
  ['General Consultation', 'chat'],
])

/** The icon of a service by its name, or the file icon. */
export const serviceIcon = (name: string): IconName => icons.get(name) ?? 'file'
