import { QueryClientProvider } from '@tanstack/react-query'
import { ConfigProvider } from 'antd'
import { useEffect, useState, type ReactNode } from 'react'
import { Outlet } from 'react-router'
import { onUnauthorized } from '@/api/client'
import { authClient } from '@/features/auth/auth-client'
import { nobody, sessionQuery } from '@/features/auth/session'
import { messages } from '@/messages'
import { themes } from '@/theme/theme'
import { useThemeMode } from '@/theme/theme-mode'
import { takeDoubleClicksAsOne } from '@/ui/one-click'
import { takeFlash, Toasts, useToast } from '@/ui/toasts'
import { useIsPhone } from '@/ui/use-is-phone'
import { createQueryClient } from './query-client'

/** Everything the staff area stands on: theme, toasts and the store of server state. The landing page needs none of it. */
export function Providers() {
  return (
    <ToastTheme>
      <PageTheme>
        <ServerState>
          <Outlet />
        </ServerState>
      </PageTheme>
    </ToastTheme>
  )
}

const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce
const csp = nonce ? { csp: { nonce } } : {}

function ToastTheme({ children }: { children: ReactNode }) {
  const { toastMode } = useThemeMode()
  const phone = useIsPhone()
  return (
    <ConfigProvider theme={themes[toastMode]} {...csp}>
      <Toasts top={phone ? 8 : 72}>{children}</Toasts>
    </ConfigProvider>
  )
}

function PageTheme({ children }: { children: ReactNode }) {
  const { mode } = useThemeMode()
  return (
    <ConfigProvider theme={themes[mode]} getPopupContainer={overlays}>
      {children}
    </ConfigProvider>
  )
}

/**
 * Where dialogs and lists open: a list beside what it belongs to, on its page or on its dialog's sheet (around the sheet
 * nothing takes the pointer). A dialog not in the body itself: there Ant Design locks the scrolling by a style element
 * without the nonce, which the page's policy refuses. base.css locks it instead.
 */
const overlays = (opener?: HTMLElement) =>
  opener?.closest<HTMLElement>('.ant-modal-container, [role="dialog"], main') ??
  document.getElementById('overlays') ??
  document.body

function ServerState({ children }: { children: ReactNode }) {
  const toast = useToast()
  const [client] = useState(() => createQueryClient(toast))

  useEffect(takeDoubleClicksAsOne, [])

  useEffect(() => {
    const flash = takeFlash()
    if (flash) toast.success(flash)
  }, [toast])

  useEffect(() => {
    const stops = [
      authClient.onSessionChange(() => void client.invalidateQueries({ queryKey: sessionQuery.queryKey })),
      onUnauthorized(() => {
        // The gate sees that nobody is signed in any more and goes to /login.
        toast.error(messages.auth.unauthorized, { key: messages.auth.unauthorized })
        client.setQueryData(sessionQuery.queryKey, nobody)
        client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== sessionQuery.queryKey[0] })
      }),
    ]
    return () => stops.forEach((stop) => stop())
  }, [client, toast])

  return <QueryClientProvider client={client}>{children}</QueryClientProvider>
}
