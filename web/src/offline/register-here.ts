import type { QueryClient } from '@tanstack/react-query'
import type { Visit } from '@/api/types'
import type { Registration } from '@/features/visits/data/mutations'
import { report } from '@/telemetry/report'
import { giveToken } from './noted'
import { isCut } from './server'
import { goOffline, startDesk } from './start'
import { deskState } from './state'

/** How long the first and the second request of a registration wait for the server, in milliseconds. */
const patience = [6_000, 3_000]

/**
 * Registers a visitor at a paired desk. If the desk is offline or the server fails to answer two requests, the desk
 * gives out its own token. The key stays the same, so that the server recognizes a registration that it has made.
 */
export async function registerAtPairedDesk(
  client: QueryClient,
  registration: Registration,
  send: (signal: AbortSignal) => Promise<Visit>,
): Promise<Visit> {
  // A desk that cannot read its own storage still registers visitors at the server.
  await startDesk(client).catch((cause: unknown) => report.error(cause))
  for (const [index, ms] of (deskState().mode === 'online' ? patience : []).entries()) {
    try {
      return await send(AbortSignal.timeout(ms))
    } catch (cause) {
      // Only a desk with a series of its own can give out a token.
      const isLast = index === patience.length - 1
      if (!isCut(cause) || (isLast && deskState().series === '')) throw cause
    }
  }
  if (deskState().mode === 'online') goOffline(client)
  return giveToken(client, registration)
}
