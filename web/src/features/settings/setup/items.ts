import type { Setup } from './query'

/** The steps of the first day, in their order. */
export const steps = ['hours', 'services', 'people', 'desks', 'screen', 'notice', 'backup'] as const
export type Step = (typeof steps)[number]

/** The steps that an admin can tick. The others are done by what they ask for. */
const ticked = ['hours', 'services', 'notice', 'backup'] as const
export type TickedStep = (typeof ticked)[number]

export const isTicked = (step: Step): step is TickedStep => ticked.some((one) => one === step)

/** What the page knows besides the answer; undefined until it is known. */
export type Seen = Partial<Record<Step, boolean | undefined>>

export type Item = { key: Step; done: boolean; at: string | null; by: string | null }

/** All steps with their states. A step is done if the server or the page says so. */
export const itemsOf = ({ items }: Setup, seen: Seen): Item[] =>
  steps.map((key) => {
    const item = items.find((one) => one.key === key && one.done)
    return {
      key,
      done: item !== undefined || (seen[key] ?? false),
      at: item?.at ?? null,
      by: item?.by?.name ?? null,
    }
  })

const freshMs = 48 * 60 * 60_000

/** Whether a backup is under 48 hours old. */
export const isFresh = (at: string | null, now: number) => at !== null && now - Date.parse(at) < freshMs

type Account = { role: string; isActive: boolean }

/** Whether somebody works in reception, as PA and as consultant. */
export const hasStaff = (accounts: readonly Account[]) =>
  ['reception', 'pa', 'consultant'].every((role) =>
    accounts.some((account) => account.isActive && account.role === role),
  )

type Screen = { kind: string; pairedAt: string | null; revokedAt: string | null }

/** Whether a screen of the waiting room is paired. */
export const hasScreen = (screens: readonly Screen[]) =>
  screens.some(
    ({ kind, pairedAt, revokedAt }) => kind === 'display' && pairedAt !== null && revokedAt === null,
  )
