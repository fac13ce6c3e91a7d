import type { SessionAnswer } from '@/features/auth/auth-client'
import { seal, unseal } from './cipher'
import { today } from './clock'
import { readKey, writeKey, type Sealed } from './store'

/** How long after the last check of the session the desk starts for the same person without the server. */
const keptMs = 12 * 3_600_000

type Kept = { answer: SessionAnswer; at: number; day: string }

/** Keeps who is signed in. */
export async function keepPerson(answer: SessionAnswer): Promise<void> {
  await writeKey('person', await seal({ answer, at: Date.now(), day: today() } satisfies Kept))
}

/** Who was signed in on this office day, within the last twelve hours. */
export async function keptPerson(): Promise<SessionAnswer | undefined> {
  const sealed = await readKey('person')
  if (!sealed) return undefined
  const { answer, at, day } = await unseal<Kept>(sealed as Sealed)
  const age = Date.now() - at
  return day === today() && age >= 0 && age < keptMs ? answer : undefined
}

export const forgetPerson = () => writeKey('person', null)
