import { Modal } from 'antd'
import { createContext, use, useEffect, useMemo, useState, type ReactNode } from 'react'
import { messages } from '@/messages'
import { Kbd, useShortcuts } from './shortcuts'

type Line = { keys: string; does: string }

type Help = {
  lines: readonly Line[]
  list: (lines: readonly Line[]) => void
  show: () => void
}

const Context = createContext<Help>({ lines: [], list: () => undefined, show: () => undefined })
const none: readonly Line[] = []

/** The dialog that lists the shortcuts of the open screen; `?` opens it. */
export function ShortcutsHelp({ children }: { children: ReactNode }) {
  const [lines, list] = useState(none)
  const [open, setOpen] = useState(false)
  const value = useMemo(() => ({ lines, list, show: () => setOpen(true) }), [lines])
  useShortcuts(lines.length > 0 ? { '?': value.show, 'Shift+?': value.show } : {})
  return (
    <Context value={value}>
      {children}
      <Modal
        open={open}
        title={messages.shortcuts.title}
        footer={null}
        width={480}
        onCancel={() => setOpen(false)}
      >
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
      </Modal>
    </Context>
  )
}

/** Lists the shortcuts of a screen while it is open. */
export function useShortcutsHelp(lines: readonly Line[]) {
  const { list } = use(Context)
  useEffect(() => {
    list(lines)
    return () => list(none)
  }, [list, lines])
}

/** Returns a function that opens the list of shortcuts; undefined on a screen without shortcuts. */
export function useShowShortcuts() {
  const { lines, show } = use(Context)
  return lines.length > 0 ? show : undefined
}
