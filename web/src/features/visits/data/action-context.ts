import type { Service } from '@/api/types'
import type { Language } from '@/locales/languages'
import type { IconName } from '@/ui/icon'
import type { ServiceTexts } from '@/ui/office-words'
import type { Actor, Subject } from './actions'
import type { VisitRef } from './intent'

export type ServiceChoice = {
  id: string
  name: string
  estimatedTime: number
  icon: IconName
  texts: ServiceTexts
  papers?: Service['documents']
}

/** The office's data on a receipt. */
export type Issuer = { brand: string; languages: readonly Language[] }

/** The data that the actions of a screen use. */
export type ActionContext = {
  by: Actor
  services: readonly ServiceChoice[]
  timeZone: string
  office: Issuer
  /** The office's day. */
  today: string
  /** The places of the line, for a move. */
  line?: readonly VisitRef[]
}

export type Dialog = {
  subject: Subject
  action: DialogAction
  /** The visitor before whom the dragged visitor was dropped. */
  before?: VisitRef
}

/** The actions whose request is completed in a dialog. */
const dialogActions = [
  'hold',
  'transfer',
  'correct',
  'link',
  'papers',
  'consents',
  'move',
  'pin',
  'call',
] as const
type DialogAction = (typeof dialogActions)[number]

export const needsDialog = (action: string): action is DialogAction =>
  dialogActions.some((one) => one === action)
