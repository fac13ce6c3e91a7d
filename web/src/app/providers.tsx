import { QueryClientProvider } from '@tanstack/react-query'
import { ConfigProvider } from 'antd'
import { useEffect, useState, type ReactNode } from 'react'
import { Outlet } from 'react-router'
import { onUnauthorized } from '@/api/client'
import { authClient } from '@/features/auth/auth-client'
import { noSession, sessionQuery } from '@/features/auth/session'
import { inBackground } from '@/in-background'
import { setOffline } from '@/live/offline-port'
import { messages } from '@/messages'
import { themes } from '@/theme/theme'
import { useThemeMode } from '@/theme/theme-mode'
import { Toasts, useToast } from '@/ui/toasts'
import { useIsPhone } from '@/ui/use-is-phone'
import { antdLocale } from './library-locales'
import { takeDoubleClicksAsOne } from './one-click'
import { createQueryClient } from './query-client'

setOffline(() => import('@/offline/parts'))

/** The providers of the staff area: theme, toasts, query client. The landing page needs none of them. */
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

/** Ant Design's texts in the language of the page. Its default is English. */
function ownTexts() {
  const locale = antdLocale()
  return locale ? { locale } : {}
}

function ToastTheme({ children }: { children: ReactNode }) {
  const { toastMode } = useThemeMode()
  const phone = useIsPhone()
  return (
    <ConfigProvider theme={themes[toastMode]} {...ownTexts()} {...csp}>
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
 * Popups are rendered into the page or dialog of their trigger, because nothing outside of an open dialog receives
 * clicks. Dialogs are not rendered into body, because Ant Design would then lock scrolling with a style
 * element without a nonce, which the content security policy rejects. desk.css locks scrolling instead.
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
    const stops = [
      authClient.onSessionChange(() =>
        inBackground(client.invalidateQueries({ queryKey: sessionQuery.queryKey })),
      ),
      onUnauthorized(() => {
        // The gate sees that there is no session and redirects to /login.
        toast.error(messages.auth.unauthorized, { key: messages.auth.unauthorized })
        client.setQueryData(sessionQuery.queryKey, noSession)
        client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== sessionQuery.queryKey[0] })
      }),
    ]
    return () => stops.forEach((stop) => stop())
  }, [client, toast])

  return <QueryClientProvider client={client}>{children}</QueryClientProvider>
}
