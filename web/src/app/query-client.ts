import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { Fault, isUnanswered } from '@/api/fault'
import { hasOfflineBand } from '@/live/offline-mode'
import { messages } from '@/messages'
import type { Toast } from '@/ui/toasts'

/**
 * Toast texts of a query or mutation. Only the handlers below show them; no screen does. A text may depend on the
 * result: it may contain a token's number.
 */
type Meta = {
  /** Undefined for a change whose success the screen itself shows. */
  success?: string | ((answer: never, variables: never) => string | undefined)
  /** Undefined for a failure that the screen shows itself. */
  failure?: string | ((variables: never, error: Error) => string | undefined)
  /** A sentence shown with the failure of a call without a response. */
  unanswered?: string
}

declare module '@tanstack/react-query' {
  // eslint-disable-next-line @typescript-eslint/consistent-type-definitions -- only an interface can be merged
  interface Register {
    queryMeta: Pick<Meta, 'failure'>
    mutationMeta: Meta
  }
}

const isTransient = (error: Error) => !(error instanceof Fault) || error.status === 0 || error.status >= 500

const isSignedOut = (error: Error) => error instanceof Fault && error.status === 401

/** The cache of all server state, with the toasts of successes and failures. */
export function createQueryClient(toast: Toast): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        // Data stay fresh until the stream invalidates them.
        staleTime: Infinity,
        refetchOnWindowFocus: false,
        refetchOnReconnect: false,
        retry: (count, error) => count < 1 && isTransient(error),
        retryDelay: 500,
      },
      // Without a network a change fails at once, and the screen shows it. By default it would wait without a message.
      mutations: { networkMode: 'always' },
    },
    queryCache: new QueryCache({
      onError: (error, { meta }) => {
        // The band of a paired desk already shows that the server does not respond, and the lists keep their last data.
        if (isUnanswered(error) && hasOfflineBand()) return
        if (typeof meta?.failure === 'string' && !isSignedOut(error)) {
          toast.error(meta.failure, { reason: reasonBeside(meta.failure, error), key: meta.failure })
        }
      },
    }),
    mutationCache: new MutationCache({
      onSuccess: (answer, variables, _onMutateResult, { meta }) => {
        const success = meta?.success
        const text = typeof success === 'function' ? success(answer as never, variables as never) : success
        if (text !== undefined) toast.success(text)
      },
      onError: (error, variables, _onMutateResult, { meta }) => {
        const failure = meta?.failure
        if (failure === undefined || isSignedOut(error)) return
        const text = typeof failure === 'string' ? failure : failure(variables as never, error)
        if (text === undefined) return
        toast.error(text, { reason: reasonBeside(text, error, meta?.unanswered) })
      },
    }),
  })
}

/** Returns the description of a failure's toast: the reason, unless the title already states it. */
function reasonBeside(
  text: string,
  error: Error,
  unanswered: string = messages.connection.none,
): string | undefined {
  if (isUnanswered(error)) return unanswered
  const reason = isForUsers(error) ? error.message : messages.request.failed
  return reason === text ? undefined : reason
}

/** Exceptions of the browser, such as TypeError and AbortError, have messages for programmers. */
const isForUsers = (error: Error) => error instanceof Fault || error.name === 'Error'
