import { useEffect } from 'react'
import type { Toast, ToastKind } from './use-toasts'
import './toast-shelf.css'

const lifetimesMs: Record<ToastKind, number> = { success: 2000, error: 4000 }

type Props = { toasts: readonly Toast[]; onGone: (id: number) => void }

/** Both live regions stand from the start: a region that arrives with its text is not always read out. */
export function ToastShelf({ toasts, onGone }: Props) {
  const of = (kind: ToastKind) =>
    toasts
      .filter((toast) => toast.kind === kind)
      .map((toast) => <ToastSlip key={toast.id} toast={toast} onGone={onGone} />)
  return (
    <div className="ld-toasts">
      <div role="status">{of('success')}</div>
      <div role="alert">{of('error')}</div>
    </div>
  )
}

function ToastSlip({ toast, onGone }: { toast: Toast; onGone: (id: number) => void }) {
  useEffect(() => {
    const timer = setTimeout(() => onGone(toast.id), lifetimesMs[toast.kind])
    return () => clearTimeout(timer)
  }, [toast, onGone])
  return (
    <div className={`ld-toast ld-toast-${toast.kind}`}>
      <b>{toast.text}</b>
      {toast.detail === undefined ? null : <span>{toast.detail}</span>}
    </div>
  )
}
