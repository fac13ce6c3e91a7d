import { useMutation } from '@tanstack/react-query'
import { Button } from 'antd'
import { useEffect, useRef, type FocusEvent } from 'react'
import { useIntentionKey } from '@/api/use-intention-key'
import { undoChange } from '@/features/visits/data/act'
import { useBatch } from '@/features/visits/data/batch'
import { expireUndo, withdrawUndo, type Offer } from '@/features/visits/data/undo'
import { sentenceOf } from '@/features/visits/data/undo-words'
import { fill } from '@/messages'
import { messages } from '@/staff-messages'
import { Icon } from '@/ui/icon'
import { useNow } from '@/ui/office-time'
import { Kbd, useShortcuts } from '@/ui/shortcuts'
import './undo-shelf.css'

const text = messages.life.undo

/** How long the server allows an undo. */
const undoSeconds = 30
const tickMs = 1_000
/** Older changes are undone from the visit's menu. */
const mostShown = 3

/**
 * The last changes, newest first, each with its button and the time that is left. Those not shown are undone from the
 * visit's menu.
 */
export function Shelf({ offers }: { offers: readonly Offer[] }) {
  const now = useNow(tickMs)
  const undo = useUndo()
  useEffect(() => expireUndo(now), [now])
  useShortcuts({
    'Ctrl+F9': () => {
      const [newest] = offers
      if (newest) undo.take(newest)
    },
  })
  const { onFocus, leave } = useReturn()
  return (
    <section className="undo-shelf" aria-label={text.title} onFocus={onFocus}>
      {offers.slice(0, mostShown).map((offer, index) => (
        <Entry
          key={offer.visits.map(({ id, version }) => `${id}/${version}`).join()}
          offer={offer}
          now={now}
          newest={index === 0}
          busy={undo.pending}
          onUndo={() => undo.take(offer)}
          onHide={() => {
            leave()
            withdrawUndo(offer)
          }}
        />
      ))}
    </section>
  )
}

/** When the shelf had the focus, returns it to where it was before. */
function useReturn() {
  const from = useRef<HTMLElement>(null)
  const onFocus = ({ currentTarget, relatedTarget }: FocusEvent) => {
    if (relatedTarget instanceof HTMLElement && !currentTarget.contains(relatedTarget))
      from.current = relatedTarget
  }
  return { onFocus, leave: () => from.current?.focus() }
}

function useUndo() {
  const mutation = useMutation(undoChange)
  const several = useBatch()
  const { keyFor } = useIntentionKey()
  const pending = mutation.isPending || several.pending
  const take = (offer: Offer) => {
    const [visit, ...others] = offer.visits
    if (pending || !visit) return
    const settled = { onSettled: () => withdrawUndo(offer) }
    if (others.length > 0) several.act(offer.visits, { action: 'undo' }, settled)
    else mutation.mutate({ visit, key: keyFor(visit) }, settled)
  }
  return { take, pending }
}

type EntryProps = { offer: Offer; now: number; newest: boolean; busy: boolean } & Record<
  'onUndo' | 'onHide',
  () => void
>

function Entry({ offer, now, newest, busy, onUndo, onHide }: EntryProps) {
  const seconds = Math.max(0, Math.ceil((Date.parse(offer.until) - now) / tickMs))
  const sentence = sentenceOf(offer)
  return (
    <div className="undo-entry">
      <span>{sentence}</span>
      <small aria-hidden="true">{fill(text.seconds, { seconds })}</small>
      <Button
        size="small"
        disabled={busy}
        aria-label={fill(text.buttonOf, { sentence })}
        {...(newest ? { 'aria-keyshortcuts': 'Control+F9' } : {})}
        onClick={onUndo}
      >
        {text.button}
      </Button>
      {newest ? <Kbd>{text.key}</Kbd> : null}
      <button
        type="button"
        className="undo-hide"
        aria-label={fill(text.hideOf, { sentence })}
        onClick={onHide}
      >
        <Icon name="x" size={18} />
      </button>
      <svg
        className="undo-bar"
        viewBox={`0 0 ${undoSeconds} 1`}
        preserveAspectRatio="none"
        aria-hidden="true"
      >
        <rect width={Math.min(undoSeconds, seconds)} height="1" />
      </svg>
    </div>
  )
}
