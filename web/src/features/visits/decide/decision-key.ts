import type { KeyboardEvent } from 'react'

type Decisions = Record<'approve' | 'send' | 'deny', () => void>

/**
 * Ctrl+Enter approves once a consultant is chosen; with Shift it sends the visitor to the line. Shift+F9
 * denies: its keys are far from the others.
 */
export const onDecisionKey =
  ({ approve, send, deny }: Partial<Decisions>) =>
  (event: KeyboardEvent) => {
    const approves = event.key === 'Enter' && (event.ctrlKey || event.metaKey)
    const denies = event.key === 'F9' && event.shiftKey
    const decide = denies ? deny : approves ? (event.shiftKey ? send : approve) : undefined
    if (!decide) return
    event.preventDefault()
    event.stopPropagation()
    // After a decision the focus is in the next row, where a key that is held down would decide again.
    if (!event.repeat) decide()
  }
