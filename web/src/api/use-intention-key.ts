import { useRef } from 'react'
import { newIdempotencyKey } from './idempotency-key'

/**
 * The idempotency keys of changes. A retry after a failure uses the same key; a change after a success uses a
 * new one. `resume` sets the key of a change that failed earlier, so that its retry uses that key.
 */
export function useIntentionKey() {
  const last = useRef<{ of: string; key: string }>(undefined)
  return {
    keyFor: (intention: object): string => {
      const of = JSON.stringify(intention)
      if (last.current?.of !== of) last.current = { of, key: newIdempotencyKey() }
      return last.current.key
    },
    resume: (intention: object, key: string) => (last.current = { of: JSON.stringify(intention), key }),
    done: () => (last.current = undefined),
  }
}
