import { serverAhead } from '@/clock'
import { officeDay } from '@/features/office/office-day'
import { pageOffice } from '@/features/office/page-office'
import { officeTime } from '@/ui/office-time'
import { readKey, writeKey } from './store'

/**
 * The difference to the server's clock at the last contact, in milliseconds. It is used while `serverAhead()` is
 * 0, as before the first response.
 */
let offset = 0

/**
 * What this desk knows about itself. `series` is the letter of its tokens. `offset` is the server's clock minus the
 * desk's clock, in milliseconds.
 */
export type Identity = { series: string; name: string; offset: number; stopped?: Stop | undefined }

/** Why the desk gives out no more tokens. It is stored, so that it survives a reload without the server. */
export type Stop = 'conflict' | 'revoked'

/** Stores what this desk knows about itself, and sets the `offset` for `now`. */
export async function keepIdentity(identity: Identity): Promise<void> {
  ;({ offset } = identity)
  await writeKey('identity', identity)
}

/** Stores that the desk gives out no more tokens, and why. */
export async function keepStopped(stopped: Stop): Promise<void> {
  const known = await readIdentity()
  if (known) await keepIdentity({ ...known, stopped })
}

/** Returns what this desk has stored about itself, and sets the `offset` for `now`. */
export async function readIdentity(): Promise<Identity | undefined> {
  const known = (await readKey('identity')) as Identity | undefined
  if (known) ({ offset } = known)
  return known
}

/** The time by the server's clock, as far as this desk knows it. */
export const now = (): Date => new Date(Date.now() + (serverAhead() || offset))

const { timeZone } = pageOffice()

/** The office's day, as YYYY-MM-DD. */
export const today = (): string => officeDay(now(), timeZone)

/** A time as the office's screens show it. */
export const timeOf = officeTime(timeZone).time
