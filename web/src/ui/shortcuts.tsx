import { Button, Modal } from 'antd'
import { useEffect, useEffectEvent, useState, type ReactNode } from 'react'
import { messages } from '@/messages'
import { Icon } from './icon'
import './shortcuts.css'

/**
 * A screen's shortcuts by name, such as 'F2' or 'Shift+F9'. Only function keys and chords: single letters belong to
 * screen
 * readers and to text input.
 */
export type Shortcuts = Readonly<Record<string, () => void>>

const modifiers = (event: KeyboardEvent) =>
  [event.ctrlKey && 'Ctrl', event.altKey && 'Alt', event.shiftKey && 'Shift'].filter(Boolean)

/** The name of a pressed chord, such as 'Ctrl+Enter'; Cmd counts as Ctrl. */
export const chordOf = (event: KeyboardEvent) =>
  [...(event.metaKey ? ['Ctrl'] : []), ...modifiers(event), event.key].join('+')

const dialogIsOpen = () =>
  document.querySelector('#overlays .ant-modal-wrap:not([style*="none"]), #overlays .ant-drawer-open') !==
  null

/** Handles a screen's shortcuts wherever the focus is, except while a dialog is open. */
export function useShortcuts(shortcuts: Shortcuts) {
  const pressed = useEffectEvent((event: KeyboardEvent) => {
    const act = shortcuts[chordOf(event)]
    if (!act || dialogIsOpen()) return
    event.preventDefault()
    act()
  })
  useEffect(() => {
    const listen = (event: KeyboardEvent) => pressed(event)
    window.addEventListener('keydown', listen)
    return () => window.removeEventListener('keydown', listen)
  }, [])
}

/** A key cap beside the description of its action. */
export function Kbd({ children }: { children: string }) {
  return <kbd className="kbd">{children}</kbd>
}

type Line = { keys: string; does: string }

/** The button that lists a screen's shortcuts. */
export function ShortcutsHelp({ lines, children }: { lines: readonly Line[]; children?: ReactNode }) {
  const [open, setOpen] = useState(false)
  const text = messages.shortcuts
  return (
    <>
      <Button
        className="shortcuts-open"
        size="small"
        icon={<Icon name="keyboard" size={16} />}
        onClick={() => setOpen(true)}
      >
        {text.open}
      </Button>
      <Modal open={open} title={text.title} footer={null} width={480} onCancel={() => setOpen(false)}>
        <dl className="shortcuts">
          {lines.map(({ keys, does }) => (
            <div key={keys}>
              <dt>
                <Kbd>{keys}</Kbd>
              </dt>
              <dd>{does}</dd>
            </div>
          ))}
        </dl>
        {children}
      </Modal>
    </>
  )
}
