import type { Bodies } from '@/api/types'

/** A change that the user wants, with its request. */
export type Intent =
  | { action: 'recall' | 'miss' | 'release' | 'back' | 'resume' | 'leave' | 'cancel' }
  | { action: 'call'; body: Bodies['CallVisit'] }
  | { action: 'hold'; body: Bodies['HoldVisit'] }
  | { action: 'transfer'; body: Bodies['TransferVisit'] }
  | { action: 'pin'; body: Bodies['PinVisit'] }
  | { action: 'move'; body: Bodies['MoveVisit'] }
  | { action: 'class'; body: Bodies['PrioritiseVisit'] }
  | { action: 'reopen'; body: Bodies['ReopenVisit'] }
  | { action: 'correct'; body: Bodies['CorrectVisit'] }

/** The visit of a change, with the version that the user saw. */
export type VisitRef = { id: string; token: string; version: number }

export type Act = { visit: VisitRef; intent: Intent; key: string }
