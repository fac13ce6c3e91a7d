import type { SessionAnswer } from '@/api/session-store'
import { seal, unseal } from './cipher'
import { now, readIdentity, today } from './clock'
import { contact } from './start'
import { readKey, writeKey, type Sealed } from './store'

/** How long after the last check of the session the same person can still start the desk without the server. */
const keptMs = 12 * 3_600_000

type Kept = { answer: SessionAnswer; at: number; day: string }

/**
 * Stores who is signed in. If the person has changed, contacts the server, so that the server knows that this person
 * works here.
 */
export async function keepPerson(answer: SessionAnswer): Promise<void> {
  const before = await readPerson()
  await writeKey('person', await seal({ answer, at: now().getTime(), day: today() } satisfies Kept))
  if (before?.answer.user?.id !== answer.user?.id) await contact()
}

async function readPerson(): Promise<Kept | undefined> {
  const sealed = await readKey('person')
  return sealed ? unseal<Kept>(sealed as Sealed) : undefined
}

/** The person who was signed in on this office day, within the last twelve hours. */
export async function keptPerson(): Promise<SessionAnswer | undefined> {
  const kept = await readPerson()
  if (!kept) return undefined
  const { answer, at, day } = kept
  await readIdentity()
  // The absolute value, because the computer's clock may have been set back.
  const age = Math.abs(now().getTime() - at)
  return day === today() && age < keptMs ? answer : undefined
}

export const forgetPerson = () => writeKey('person', null)
