import { Suspense, useEffect, useRef, useState, useSyncExternalStore, type FocusEvent } from 'react'
import { createPortal } from 'react-dom'
import { useNavigate } from 'react-router'
import { chunk } from '@/chunk'
import { useUser } from '@/features/auth/gate'
import { DueBanner } from '@/features/due-dates/due-banner'
import type { ScreenAct } from '@/features/visits/attention/acts'
import { BarButton } from '@/features/visits/attention/bar-button'
import type { Listed } from '@/features/visits/attention/needs'
import { News } from '@/features/visits/attention/news'
import { Strip } from '@/features/visits/attention/strip'
import { useFresh, useNeeds } from '@/features/visits/attention/use-needs'
import { showTicket } from '@/features/visits/data/ticket-port'
import { inBackground } from '@/in-background'
import { useShortcuts } from '@/ui/shortcuts'
import { useIsPhone } from '@/ui/use-is-phone'
import './head-notice.css'

// The dialogs are loaded when they are first opened.
const Sheet = chunk(async () => (await import('@/features/visits/attention/sheet')).Sheet)
const AttentionDialog = chunk(async () => (await import('./attention-dialog')).AttentionDialog)

/**
 * What needs attention, in the head of the page and, while the head is out of sight, as a number in the top bar. On a
 * phone there is only the number. A head without entries shows the due dates.
 */
export function HeadNotice({ bar }: { bar: HTMLElement | null }) {
  const { role } = useUser()
  const phone = useIsPhone()
  const scrolled = useIsScrolled()
  const { needs, isKnown } = useNeeds(role)
  const { fresh, newest } = useFresh(needs, isKnown)
  const [sheet, setSheet] = useState(false)
  const [dialog, setDialog] = useState<{ act: Exclude<ScreenAct, 'show'>; need: Listed }>()
  const show = useShow(role)
  useCountInTitle(needs.length)
  useShortcuts({ 'Shift+F2': focusFirst })
  const focus = useFocusAfter(needs.map(({ id }) => id).join())

  const open = () => setSheet(true)
  const onAct = (act: ScreenAct, need: Listed) => {
    if (act === 'show') {
      setSheet(false)
      show(need)
    } else setDialog({ act, need })
  }
  const isInBar = needs.length > 0 && (phone || scrolled)
  return (
    <div className="head-notice" {...focus}>
      {phone || needs.length === 0 ? (
        <DueBanner />
      ) : (
        <Strip needs={needs} fresh={fresh} onOpen={open} onAct={onAct} />
      )}
      <News of={newest} />
      {bar && isInBar ? createPortal(<BarButton count={needs.length} onOpen={open} />, bar) : null}
      <Suspense fallback={null}>
        {sheet ? <Sheet needs={needs} open={!dialog} onAct={onAct} onClose={() => setSheet(false)} /> : null}
        {dialog ? <AttentionDialog {...dialog} onClose={() => setDialog(undefined)} /> : null}
      </Suspense>
    </div>
  )
}

const entry = '.attention li:first-child button'

/** Focuses the first of these places that can have the focus: a narrow head hides the buttons that act. */
function focusOneOf(...places: readonly string[]) {
  for (const place of places) {
    const element = document.querySelector<HTMLElement>(place)
    element?.focus()
    if (element && element === document.activeElement) return
  }
}

/** Focuses the first button of the most urgent entry, else the entry, else the number in the top bar. */
const focusFirst = () => focusOneOf('.attention li:first-child .ant-btn:enabled', entry, '.attention-bar')

/**
 * When the entry that has the focus is removed, the focus moves to the first entry that is left, else to the title of
 * the page. It does not move to a button that acts, because a key that is held down would press it. `ids`: the ids of
 * the entries, joined.
 */
function useFocusAfter(ids: string) {
  const isHeld = useRef(false)
  useEffect(() => {
    if (isHeld.current && document.activeElement === document.body) focusOneOf(entry, '.page-head h1')
  }, [ids])
  return {
    // Focus events of the sheet and its dialogs bubble to here too, although these are not part of the strip.
    onFocus: ({ target }: FocusEvent) => (isHeld.current = target.closest('.attention') !== null),
    onBlur: () => (isHeld.current = false),
  }
}

/**
 * Returns a function that shows an entry: in the list of appointments, as a ticket if the screen shows tickets, or in
 * the line.
 */
function useShow(role: string) {
  const navigate = useNavigate()
  return ({ kind, known, visit }: Listed) => {
    if (kind === 'appointment_late') inBackground(navigate('/dashboard/receptionist?tab=appointments'))
    const isShown = known !== undefined && showTicket(known)
    if (!visit || isShown || role === 'reception') return
    inBackground(navigate('/dashboard/pa?tab=line'))
    // The sheet returns the focus when it closes, so the row is focused after that.
    requestAnimationFrame(() => focusPlace(visit.id))
  }
}

const mostFrames = 120

/** Focuses a row of the line, which may not be rendered yet. */
function focusPlace(id: string, frames = mostFrames) {
  const rows = [...document.querySelectorAll<HTMLElement>('.place-row')]
  const row = rows.find(({ dataset }) => dataset.visit === id)
  if (row) row.focus()
  else if (frames > 0) requestAnimationFrame(() => focusPlace(id, frames - 1))
}

/** If the page is scrolled by more pixels than this, its head is behind the top bar. */
const headEnd = 56

const onScroll = (changed: () => void) => {
  window.addEventListener('scroll', changed, { passive: true })
  return () => window.removeEventListener('scroll', changed)
}

const useIsScrolled = () => useSyncExternalStore(onScroll, () => window.scrollY > headEnd)

/** The title of the browser's tab begins with the number of entries. */
function useCountInTitle(count: number) {
  useEffect(() => {
    if (count === 0) return
    const { title } = document
    document.title = `(${count}) ${title}`
    return () => {
      document.title = title
    }
  }, [count])
}
