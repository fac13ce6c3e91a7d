import type { ReactNode } from 'react'
import { messages } from '@/staff-messages'
import { DataAge } from './data-age'
import { Icon } from './icon'
import './badges.css'

/** A neutral pill beside a name or a heading. */
export function Chip({ children }: { children: ReactNode }) {
  return <span className="chip">{children}</span>
}

type ConnectionProps = {
  connected: boolean
  /** Whether the first attempt to connect is running, for 5 s at most. */
  connecting: boolean
}

/** The state of the live connection, and the age of the data while disconnected. */
export function ConnectionBadge({ connected, connecting }: ConnectionProps) {
  if (connecting)
    return (
      <span className="chip connection" role="status">
        {messages.live.connecting}
      </span>
    )
  return (
    <>
      <span className={connected ? 'chip connection' : 'chip connection connection-off'} role="status">
        {connected ? <i className="connection-dot" /> : <Icon name="wifiOff" size={15} />}
        {connected ? messages.live.connected : messages.live.disconnected}
      </span>
      {connected ? null : <DataAge />}
    </>
  )
}

type AvailabilityProps = {
  /** Whether the consultant is active and the queue is empty. */
  available: boolean
  /** Whether the desk is open and without a visitor. Only then is the word Available green. */
  free?: boolean
}

/** Available is a disc with the word, Busy a bar with the word, so that they do not differ by colour alone. */
export function Availability({ available, free = true }: AvailabilityProps) {
  return (
    <span className={available && free ? 'availability availability-free' : 'availability'}>
      <svg width="12" height="12" viewBox="0 0 12 12" aria-hidden="true">
        {available ? (
          <circle cx="6" cy="6" r="5" fill="currentColor" />
        ) : (
          <path d="M1 6h10" stroke="currentColor" strokeWidth="3" />
        )}
      </svg>
      {available ? messages.directory.available : messages.directory.busy}
    </span>
  )
}
