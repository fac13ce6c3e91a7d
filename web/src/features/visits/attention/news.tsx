import { messages as attention } from '@/attention-messages'
import { fill, plural } from '@/messages'
import type { Need } from './needs'
import { Sentence } from './sentence'

/** More that come at once are announced by their number. */
const mostSaid = 3

/** Announces the entries that have come last. */
export function News({ of: needs }: { of: readonly Need[] }) {
  const { length: count } = needs
  return (
    <div className="visually-hidden" role="status">
      {count > mostSaid
        ? fill(plural(attention.attention.count, count), { count })
        : needs.map((need) => (
            <p key={need.id}>
              <Sentence of={need} still />
            </p>
          ))}
    </div>
  )
}
