import { newIdempotencyKey } from './idempotency-key'

/** One idempotency key per intended change, for several at once: until it is done, a retry has its key. */
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
