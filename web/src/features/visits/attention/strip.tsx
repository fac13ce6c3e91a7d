import { useRef, type ComponentProps } from 'react'
import { messages as attention } from '@/attention-messages'
import { fill } from '@/messages'
import { Acts } from './acts'
import type { Need } from './needs'
import { Sentence } from './sentence'
import { useFits } from './use-fits'
import './attention.css'

const text = attention.attention
/** The most entries that are drawn. Even the widest line has room for fewer. */
const mostDrawn = 6

type Props = Pick<ComponentProps<typeof Acts>, 'onAct'> & {
  needs: readonly Need[]
  /** The ids of the entries that were added since the screen was opened. */
  fresh: ReadonlySet<string>
  onOpen: () => void
}

/** As many entries as fit into the page's head, each with its first button, and a button if there are more. */
export function Strip({ needs, fresh, onOpen, onAct }: Props) {
  const line = useRef<HTMLElement>(null)
  const drawn = needs.slice(0, mostDrawn)
  const key = drawn.map(({ id }) => id).join()
  const fits = Math.min(useFits(line, { key, rest: needs.length > drawn.length }), drawn.length)
  const more = needs.length - fits
  return (
    <section ref={line} className="attention" aria-label={text.title}>
      <ul>
        {drawn.map((need, index) => (
          <li
            key={need.id}
            className={fresh.has(need.id) ? 'attention-fresh' : undefined}
            inert={index >= fits}
          >
            <button type="button" className="attention-what" aria-haspopup="dialog" onClick={onOpen}>
              <Mark />
              <span>
                <Sentence of={need} />
              </span>
            </button>
            <Acts of={need} first onAct={onAct} />
          </li>
        ))}
      </ul>
      {more > 0 ? (
        <button type="button" className="attention-more" aria-haspopup="dialog" onClick={onOpen}>
          {fill(text.more, { count: more })}
        </button>
      ) : null}
    </section>
  )
}

/** An exclamation mark. */
export const Mark = () => (
  <b className="attention-mark" aria-hidden="true">
    !
  </b>
)
