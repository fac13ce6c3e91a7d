import type { SessionAnswer } from '@/features/auth/auth-client'
import { seal, unseal } from './cipher'
import { now, readIdentity, today } from './clock'
import { readKey, writeKey, type Sealed } from './store'

/** How long after the last check of the session the desk starts for the same person without the server. */
const keptMs = 12 * 3_600_000

type Kept = { answer: SessionAnswer; at: number; day: string }

/** Keeps who is signed in. */
export async function keepPerson(answer: SessionAnswer): Promise<void> {
  await writeKey('person', await seal({ answer, at: now().getTime(), day: today() } satisfies Kept))
}

/** Who was signed in on this office day, within the last twelve hours. */
export async function keptPerson(): Promise<SessionAnswer | undefined> {
  const sealed = await readKey('person')
  if (!sealed) return undefined
  const { answer, at, day } = await unseal<Kept>(sealed as Sealed)
  await readIdentity()
  // The clock of the computer may have been set back since.
  const age = Math.abs(now().getTime() - at)
  return day === today() && age < keptMs ? answer : undefined
}

export const forgetPerson = () => writeKey('person', null)
