import type { QueryClient } from '@tanstack/react-query'
import type { Visit } from '@/api/types'
import type { Registration } from '@/features/visits/data/mutations'
import { report } from '@/telemetry/report'
import { giveToken } from './noted'
import { isCut } from './server'
import { goOffline, startDesk } from './start'
import { deskState } from './state'

/** How long a registration waits for the server, the first and the second time. */
const patience = [6_000, 3_000]

/**
 * Registers a visitor at a paired desk. Without an answer of the server, twice, the desk gives a token of its own: the
 * key stays, so that the server finds a registration that it has carried out.
 */
export async function registerAtDesk(
  client: QueryClient,
  registration: Registration,
  send: (signal: AbortSignal) => Promise<Visit>,
): Promise<Visit> {
  // The server registers visitors also when what this browser keeps cannot be read.
  await startDesk(client).catch((cause: unknown) => report.error(cause))
  for (const [index, ms] of (deskState().mode === 'online' ? patience : []).entries()) {
    try {
      return await send(AbortSignal.timeout(ms))
    } catch (cause) {
      // Without a series of its own the desk cannot give a token.
      const isLast = index === patience.length - 1
      if (!isCut(cause) || (isLast && deskState().series === '')) throw cause
    }
  }
  if (deskState().mode === 'online') goOffline(client)
  return giveToken(client, registration)
}
