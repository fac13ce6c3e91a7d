import { newIdempotencyKey } from './idempotency-key'

/**
 * Idempotency keys for several changes at the same time. A change that the user wants keeps its key until it is done,
 * so a retry has the same key.
 */
export function intentionKeys() {
  const keys = new Map<string, string>()
  return {
    keyFor: (intention: object): string => {
      const of = JSON.stringify(intention)
      const key = keys.get(of) ?? newIdempotencyKey()
      keys.set(of, key)
      return key
    },
    done: (intention: object) => keys.delete(JSON.stringify(intention)),
  }
}

export type IntentionKeys = ReturnType<typeof intentionKeys>
