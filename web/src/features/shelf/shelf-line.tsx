import { Button } from 'antd'
import { useId, useLayoutEffect, useRef, useState, type FocusEvent, type KeyboardEvent } from 'react'
import { isUnanswered } from '@/api/fault'
import { inBackground } from '@/in-background'
import { fill } from '@/messages'
import { removeEntry, type Entry } from '@/shelf'
import { messages } from '@/staff-messages'
import { Icon } from '@/ui/icon'
import { useNow } from '@/ui/office-time'
import { Kbd, useShortcuts } from '@/ui/shortcuts'
import { keepRoom } from './keep-room'

const text = messages.life.undo

const tickMs = 1_000

type Props = {
  /** Newest first. */
  entries: readonly Entry[]
  /** Whether the newest entry still shows its text. */
  isFresh: boolean
}

/** The newest entry with its buttons. The other entries can be opened above it. */
export function ShelfLine({ entries, isFresh }: Props) {
  const list = useId()
  const [isOpen, setOpen] = useState(false)
  const { onFocus, leave } = useReturn()
  const { undo, pending } = useUndo(leave)
  const [newest, ...others] = entries
  if (isOpen && others.length === 0) setOpen(false)
  // The clean-up function runs before the shelf is removed from the page.
  useLayoutEffect(() => keepRoom, [])
  useShortcuts({
    'Ctrl+F9': () => {
      const last = entries.find(({ take }) => take)
      if (last) undo(last)
    },
  })
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || !isOpen) return
    event.preventDefault()
    setOpen(false)
  }
  const hide = ({ key }: Entry) => {
    leave()
    removeEntry(key)
  }
  const controlsOf = (entry: Entry) => (
    <Controls entry={entry} busy={pending} onUndo={() => undo(entry)} onHide={() => hide(entry)} />
  )
  return (
    <section className="shelf-line" aria-label={text.title} onFocus={onFocus} onKeyDown={onKeyDown}>
      {isOpen ? (
        <ul className="shelf-others" id={list}>
          {others.map((entry) => (
            <li key={entry.key}>
              <span>{entry.sentence}</span>
              {controlsOf(entry)}
            </li>
          ))}
        </ul>
      ) : null}
      {isFresh ? null : <span>{newest?.sentence}</span>}
      {others.length > 0 ? (
        <Button
          size="small"
          type="text"
          aria-expanded={isOpen}
          aria-controls={isOpen ? list : undefined}
          onClick={() => setOpen(!isOpen)}
        >
          {fill(text.more, { count: others.length })}
        </Button>
      ) : null}
      {newest ? controlsOf(newest) : null}
      {newest?.take ? <Kbd>{text.key}</Kbd> : null}
    </section>
  )
}

/**
 * Remembers which element had the focus before the shelf. If the shelf has the focus, `leave` returns it to that
 * element.
 */
function useReturn() {
  const from = useRef<HTMLElement>(null)
  const onFocus = ({ currentTarget, relatedTarget }: FocusEvent) => {
    if (relatedTarget instanceof Node && currentTarget.contains(relatedTarget)) return
    from.current = relatedTarget instanceof HTMLElement ? relatedTarget : null
  }
  const leave = () => {
    if (document.activeElement?.closest('.shelf-line')) from.current?.focus()
  }
  return { onFocus, leave }
}

/**
 * Undoes one entry at a time. The entry is removed when the server has answered; if there is no answer, the undo can be
 * repeated.
 */
function useUndo(leave: () => void) {
  const [pending, setPending] = useState(false)
  const take = async (entry: Entry) => {
    setPending(true)
    try {
      await entry.take?.()
      removeEntry(entry.key)
    } catch (failure) {
      // The mutation of the undo shows the failure as a toast.
      if (!isUnanswered(failure)) removeEntry(entry.key)
    } finally {
      setPending(false)
    }
  }
  const undo = (entry: Entry) => {
    if (pending) return
    leave()
    inBackground(take(entry))
  }
  return { undo, pending }
}

type ControlsProps = { entry: Entry; busy: boolean } & Record<'onUndo' | 'onHide', () => void>

function Controls({ entry: { sentence, until, take }, busy, onUndo, onHide }: ControlsProps) {
  return (
    <>
      {take ? (
        <>
          {Number.isFinite(until) ? <TimeLeft until={until} /> : null}
          <Button
            size="small"
            disabled={busy}
            aria-label={fill(text.buttonOf, { sentence })}
            aria-keyshortcuts="Control+F9"
            onClick={onUndo}
          >
            {text.button}
          </Button>
        </>
      ) : null}
      <Button
        size="small"
        type="text"
        icon={<Icon name="x" size={18} />}
        aria-label={fill(text.hideOf, { sentence })}
        onClick={onHide}
      />
    </>
  )
}

/** The seconds that are left. It is a component of its own, so that each second renders only these characters again. */
function TimeLeft({ until }: { until: number }) {
  const seconds = Math.max(0, Math.ceil((until - useNow(tickMs)) / tickMs))
  return <small aria-hidden="true">{fill(text.seconds, { seconds })}</small>
}
