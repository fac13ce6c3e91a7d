import { message } from 'antd'
import { createContext, use, useMemo, type ReactNode } from 'react'
import { inBackground } from '@/in-background'
import { addSuccess, hasShelf, mostEntries } from '@/shelf'
import { read, remove, tabKeys, write } from '@/storage'
import './toasts.css'

type Kind = 'success' | 'error' | 'info' | 'warning' | 'loading'
type Options = { seconds?: number; reason?: string | undefined; key?: string }

/** Default durations of toasts in seconds; a loading toast stays until it is dismissed. */
const standing: Record<Kind, number> = { success: 2, error: 4, info: 4, warning: 4, loading: 0 }

type Holder = ReturnType<typeof message.useMessage>[0]
const Context = createContext<Holder | null>(null)

/**
 * Shows toasts at this distance from the top, in pixels. Of Ant Design's App only `message` is used, which has a third
 * of App's size.
 */
export function Toasts({ top, children }: { top: number; children: ReactNode }) {
  const [holder, toasts] = message.useMessage({ maxCount: mostEntries, top })
  return (
    <Context value={holder}>
      {toasts}
      {children}
    </Context>
  )
}

/**
 * Returns functions that show toasts. A toast with a key is shown once, however often it is requested. On a page with a
 * shelf, `success` adds an entry to the shelf instead; `show` shows a toast of any kind on every page.
 */
export function useToast() {
  const holder = use(Context)
  if (!holder) throw new Error('useToast needs Toasts above it')
  return useMemo(() => {
    const show = (type: Kind, text: string, { seconds = standing[type], reason, key }: Options = {}) => {
      const content: ReactNode = reason ? <Reasoned text={text} reason={reason} /> : text
      inBackground(holder.open({ type, content, duration: seconds, ...(key ? { key } : {}) }))
    }
    const of = (type: Kind) => (text: string, options?: Options) => show(type, text, options)
    return {
      success: (text: string) => {
        if (hasShelf()) addSuccess(text)
        else show('success', text)
      },
      error: of('error'),
      info: of('info'),
      warning: of('warning'),
      loading: of('loading'),
      show,
      dismiss: (key: string) => holder.destroy(key),
    }
  }, [holder])
}

export type Toast = ReturnType<typeof useToast>

function Reasoned({ text, reason }: { text: string; reason: string }) {
  return (
    <span className="toast-reasoned">
      <span>{text}</span>
      <small>{reason}</small>
    </span>
  )
}

/** Stores a toast for the next page. */
export const leaveFlash = (text: string) => write(tabKeys.flash, text)

/** Takes the toast that the previous page stored. */
export function takeFlash(): string | null {
  const text = read(tabKeys.flash)
  remove(tabKeys.flash)
  return text
}
