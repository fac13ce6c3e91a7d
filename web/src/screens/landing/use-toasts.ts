import { useCallback, useState } from 'react'

export type ToastKind = 'success' | 'error'
export type Toast = { id: number; kind: ToastKind; text: string; detail: string | undefined }
export type ShowToast = (kind: ToastKind, text: string, detail?: string) => void

const mostAtOnce = 20

/** The toasts of the public page, without the component library: same texts, durations and limit as elsewhere. */
export function useToasts() {
  const [toasts, setToasts] = useState<readonly Toast[]>([])

  const show = useCallback<ShowToast>((kind, text, detail) => {
    setToasts((shown) => {
      const id = (shown.at(-1)?.id ?? 0) + 1
      return [...shown, { id, kind, text, detail }].slice(-mostAtOnce)
    })
  }, [])

  const remove = useCallback((id: number) => {
    setToasts((shown) => shown.filter((toast) => toast.id !== id))
  }, [])

  return { toasts, show, remove }
}
