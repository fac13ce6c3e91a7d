import { useId, type ReactNode } from 'react'
import { grouped } from '@/messages'
import './panel.css'

type Props = {
  title: string
  /** How many it lists, or a few words about them. */
  count?: number | string | undefined
  extra?: ReactNode
  className?: string
  /** Hides the title visually, because the tab above shows the same one. */
  untitled?: boolean
  children: ReactNode
}

/** A titled panel of a dashboard, with an optional count beside the title. */
export function Panel({ title, count, extra, className, untitled = false, children }: Props) {
  const id = useId()
  return (
    <section className={className ? `panel ${className}` : 'panel'} aria-labelledby={id}>
      <div className={untitled ? 'visually-hidden' : 'panel-head'}>
        <h2 id={id}>{title}</h2>
        {count === undefined ? null : <span className="panel-count">{grouped(count)}</span>}
        {extra ? <div className="panel-extra">{extra}</div> : null}
      </div>
      {children}
    </section>
  )
}

export function PanelBody({ children }: { children: ReactNode }) {
  return <div className="panel-body">{children}</div>
}

/** A list that scrolls beyond its maximum height, also by keyboard. */
export function ScrollRegion({
  label,
  tall = false,
  children,
}: {
  label: string
  tall?: boolean
  children: ReactNode
}) {
  return (
    <div
      className={tall ? 'scroll-region scroll-region-tall' : 'scroll-region'}
      tabIndex={0}
      role="group"
      aria-label={label}
    >
      {children}
    </div>
  )
}

/** The scrollable content of a drawer or dialog without focusable elements: reachable by keyboard. */
export function DialogRegion({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="dialog-region" tabIndex={0} role="group" aria-label={label}>
      {children}
    </div>
  )
}
