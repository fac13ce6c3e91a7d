import type { KeyboardEvent } from 'react'
import { counted } from '@/messages'
import './count-tabs.css'

export type CountTab<Key extends string> = {
  key: Key
  label: string
  /** Undefined while it loads. */
  count: number | undefined
  /** What the number counts, for screen readers. */
  unit?: string
}

type Props<Key extends string> = {
  label: string
  tabs: readonly CountTab<Key>[]
  active: Key
  onChange: (key: Key) => void
}

export const tabPanel = (key: string) => ({ role: 'tabpanel', 'aria-labelledby': `tab-${key}` })

/**
 * Tabs with the number of entries of each. In a narrow window they wrap, whereas Ant Design's tabs would hide some of
 * them in a menu.
 */
export function CountTabs<Key extends string>({ label, tabs, active, onChange }: Props<Key>) {
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const index = indexAfter(
      event.key,
      tabs.length,
      tabs.findIndex(({ key }) => key === active),
    )
    const next = tabs[index]
    if (!next) return
    event.preventDefault()
    onChange(next.key)
    event.currentTarget.querySelectorAll<HTMLElement>('[role="tab"]')[index]?.focus()
  }
  return (
    <div className="count-tabs" role="tablist" aria-label={label} onKeyDown={onKeyDown}>
      {tabs.map(({ key, label: name, count, unit }) => (
        <button
          key={key}
          type="button"
          role="tab"
          id={`tab-${key}`}
          aria-selected={key === active}
          tabIndex={key === active ? 0 : -1}
          onClick={() => onChange(key)}
        >
          {name}{' '}
          {count === undefined ? null : (
            <span className="count-tab-count">
              {counted(count)}
              {unit ? <span className="visually-hidden"> {unit}</span> : null}
            </span>
          )}
        </button>
      ))}
    </div>
  )
}

/** The index of the tab that a key selects, or -1. */
function indexAfter(key: string, total: number, index: number): number {
  if (key === 'ArrowRight') return (index + 1) % total
  if (key === 'ArrowLeft') return (index - 1 + total) % total
  if (key === 'Home') return 0
  return key === 'End' ? total - 1 : -1
}
