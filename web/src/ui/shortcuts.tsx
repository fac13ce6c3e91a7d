import { useEffectEvent, useLayoutEffect } from 'react'
import './shortcuts.css'

/**
 * A screen's shortcuts by name, such as 'F2' or 'Shift+F9'. Single letters are not used: they belong to screen
 * readers and to text input.
 */
export type Shortcuts = Readonly<Record<string, () => void>>

const modifiers = (event: KeyboardEvent) =>
  [event.ctrlKey && 'Ctrl', event.altKey && 'Alt', event.shiftKey && 'Shift'].filter(Boolean)

/** The name of a pressed chord, such as 'Ctrl+Enter'; Cmd counts as Ctrl. */
export const chordOf = (event: KeyboardEvent) =>
  [...(event.metaKey ? ['Ctrl'] : []), ...modifiers(event), event.key].join('+')

const dialogIsOpen = () =>
  document.querySelector(
    'dialog[open], #overlays .ant-modal-wrap:not([style*="none"]), #overlays .ant-drawer-open',
  ) !== null

/** Elements in which Escape has a meaning of its own: an open list, menu or popover, and a search with text. */
const escapable = [
  '.ant-select-open',
  '.ant-dropdown:not(.ant-dropdown-hidden)',
  '.ant-popover:not(.ant-popover-hidden)',
  'input[type="search"]:focus:not(:placeholder-shown)',
].join()

/** Whether the key belongs to the element that has the focus, or Escape to one of `escapable`. */
function isTaken({ key, ctrlKey, altKey, metaKey }: KeyboardEvent): boolean {
  if (key === 'Escape') return document.querySelector(escapable) !== null
  const isText = key.length === 1 && !ctrlKey && !altKey && !metaKey
  return isText && document.activeElement?.matches('input, textarea, [contenteditable]') === true
}

/**
 * Handles a screen's shortcuts wherever the focus is, except while a dialog is open. A held key acts once: the same key
 * has another meaning as soon as the screen has changed.
 */
export function useShortcuts(shortcuts: Shortcuts) {
  const pressed = useEffectEvent((event: KeyboardEvent) => {
    const act = shortcuts[chordOf(event)]
    if (!act || event.defaultPrevented || isTaken(event) || dialogIsOpen()) return
    event.preventDefault()
    if (!event.repeat) act()
  })
  // A layout effect, because a screen must have its keys as soon as it is shown.
  useLayoutEffect(() => {
    const listen = (event: KeyboardEvent) => pressed(event)
    window.addEventListener('keydown', listen)
    return () => window.removeEventListener('keydown', listen)
  }, [])
}

/** A key cap beside the description of its action. */
export function Kbd({ children }: { children: string }) {
  return <kbd className="kbd">{children}</kbd>
}
