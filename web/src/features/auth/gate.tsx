import { useQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import { createContext, Suspense, use, useEffect, useRef, useState, type ReactNode } from 'react'
import { useLocation, useNavigate } from 'react-router'
import type { User } from '@/api/session-store'
import type { Role } from '@/api/types'
import { inBackground } from '@/in-background'
import { isLanguage, keepLanguage } from '@/language'
import { locale, messages } from '@/messages'
import { StateScreen } from '@/ui/state-screen'
import { useToast } from '@/ui/toasts'
import { reload } from '@/load-anew'
import { homeOf } from './roles'
import { isInactive, sessionQuery, useSession } from './session'
import { DepartureContext, useEndSession, useSignOut, type Destination } from './sign-out'

const UserContext = createContext<User | null>(null)

/** The signed-in member of staff; available below the gate only. */
export function useUser(): User {
  const user = use(UserContext)
  if (!user) throw new Error('useUser needs the gate above it')
  return user
}

type GateProps = {
  /** The screen of a person whom no admin has approved yet. */
  waiting: ReactNode
  children: ReactNode
}

/** Renders its children for signed-in, active staff, and otherwise the reason or a redirect. */
export function Gate({ waiting, children }: GateProps) {
  // Set until the gate is unmounted or the sign-out fails, so that no redirect to /login happens meanwhile.
  const [departure, setDeparture] = useState<Destination>()

  if (departure) return <Departure to={departure} onFailure={() => setDeparture(undefined)} />
  return (
    <DepartureContext value={setDeparture}>
      <SignedIn waiting={waiting}>{children}</SignedIn>
    </DepartureContext>
  )
}

/** Ends the session after stream and lists are unmounted; otherwise their requests would get a 401. */
function Departure({ to, onFailure }: { to: Destination; onFailure: () => void }) {
  const navigate = useNavigate()
  const { mutate } = useEndSession()
  const begun = useRef(false)
  useEffect(() => {
    if (begun.current) return
    begun.current = true
    mutate(undefined, { onSuccess: () => inBackground(navigate(to, { replace: true })), onError: onFailure })
  }, [mutate, navigate, onFailure, to])
  return <Verifying />
}

function SignedIn({ waiting, children }: GateProps) {
  const { user, isLoading, isAuthenticated, error, verifyAgain } = useSession()

  // Checked before the error: after a failed request, the screen of an inactive account stays, and asks again.
  if (user && isInactive(user)) return <Inactive waiting={user.awaiting ? waiting : null} />
  if (isLoading) return <Verifying />
  if (error) return <VerificationFailed onRetry={verifyAgain} />
  if (!isAuthenticated || !user) return <Leave to="/login" message={messages.auth.notAuthenticated} />
  return (
    <UserContext value={user}>
      <OwnLanguage language={user.language} />
      {children}
    </UserContext>
  )
}

/** Loads the page again, once, if it is not in the language that the person has chosen. */
function OwnLanguage({ language }: { language: User['language'] }) {
  useEffect(() => {
    if (isLanguage(language) && keepLanguage(language) && language !== locale) reload()
  }, [language])
  return null
}

/** Admits only some roles; other roles are redirected to their own dashboard, once. */
export function RoleGate({ allow, children }: { allow: readonly Role[]; children: ReactNode }) {
  const { role } = useUser()
  const { pathname } = useLocation()
  const home = homeOf(role)

  if (allow.some((allowed) => allowed === role)) return children
  if (pathname === home) return <NoDashboard />
  return <Leave to={home} message={messages.auth.notPermitted} />
}

function Leave({ to, message }: { to: string; message: string }) {
  const navigate = useNavigate()
  const { state } = useLocation() as { state: unknown }
  const toast = useToast()
  useEffect(() => {
    toast.error(message, { key: message })
    inBackground(navigate(to, { replace: true, state }))
  }, [navigate, message, toast, to, state])
  return null
}

const counter = messages.auth.ticket

function Verifying() {
  return (
    <StateScreen live title={messages.auth.verifying} kicker={counter.kicker} ticket={counter.verifying} />
  )
}

function VerificationFailed({ onRetry }: { onRetry: () => void }) {
  const toast = useToast()
  useEffect(() => {
    toast.error(messages.auth.verifyFailed, { key: messages.auth.verifyFailed })
  }, [toast])
  return (
    <StateScreen
      title={messages.auth.errorTitle}
      text={messages.auth.errorText}
      kicker={counter.kicker}
      ticket={counter.error}
      action={
        <Button type="primary" size="large" onClick={onRetry}>
          {messages.auth.retry}
        </Button>
      }
    />
  )
}

/** How often an inactive account is read again, in milliseconds. */
const inactiveMs = 10_000

/**
 * The screen of an inactive account: `waiting`, or that of a deactivated account. It reads the session again at
 * intervals, and is replaced when an admin has activated the account.
 */
function Inactive({ waiting }: { waiting: ReactNode }) {
  const signOut = useSignOut('/login')
  useQuery({ ...sessionQuery, refetchInterval: inactiveMs, refetchOnWindowFocus: 'always' })
  if (waiting) return <Suspense fallback={<Verifying />}>{waiting}</Suspense>
  return (
    <StateScreen
      title={messages.auth.inactiveTitle}
      text={messages.auth.inactiveText}
      kicker={counter.kicker}
      ticket={counter.inactive}
      action={
        <Button type="primary" size="large" onClick={signOut}>
          {messages.auth.returnToLogin}
        </Button>
      }
    />
  )
}

function NoDashboard() {
  const signOut = useSignOut('/')
  return (
    <StateScreen
      title={messages.auth.noDashboard}
      text={messages.auth.notPermitted}
      kicker={counter.kicker}
      ticket={counter.inactive}
      action={
        <Button type="primary" size="large" onClick={signOut}>
          {messages.auth.signOut}
        </Button>
      }
    />
  )
}
