import { messages as attention } from '@/attention-messages'
import { fill, plural } from '@/messages'
import type { Need } from './needs'
import { Sentence } from './sentence'

/** If more entries arrive at once, only their number is announced. */
const mostSaid = 3

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
