import { useEffect } from 'react'
import type { Toast, ToastKind } from './use-toasts'
import './toast-shelf.css'

const glyphs: Record<ToastKind, string> = {
  success: 'M2.5 8.5l3.5 3.5 7.5-8',
  error: 'M5.3 1.5h5.4l3.8 3.8v5.4l-3.8 3.8H5.3l-3.8-3.8V5.3zM5.7 5.7l4.6 4.6M10.3 5.7l-4.6 4.6',
}
const lifetimesMs: Record<ToastKind, number> = { success: 2000, error: 4000 }

type Props = { toasts: readonly Toast[]; onGone: (id: number) => void }

/** Both live regions exist from the start: a region that is inserted with its text is not always announced. */
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
      <svg width="18" height="18" viewBox="0 0 16 16" aria-hidden="true">
        <path d={glyphs[toast.kind]} />
      </svg>
      <b>{toast.text}</b>
      {toast.detail === undefined ? null : <span>{toast.detail}</span>}
    </div>
  )
}
