import { useMutation, useQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import { sessionStore } from '@/api/session-store'
import { inBackground } from '@/in-background'
import { fill } from '@/messages'
import { messages } from '@/staff-messages'
import { Chip } from '@/ui/badges'
import { LoadAgain } from '@/ui/load-again'
import { useOfficeTime } from '@/ui/office-time'
import { endOtherSessions, endSession, sessionsQuery } from './account'
import type { OwnSession } from './auth-client'
import { deviceOf } from './device'
import { useSignOut } from './sign-out'

const text = messages.settings

/** The user's sessions, with buttons that end them. */
export function Sessions() {
  const { data, isPending, isError, refetch } = useQuery(sessionsQuery)
  const endOthers = useMutation(endOtherSessions)
  const others = data?.some((one) => !isThis(one)) ?? true
  return (
    <section className="sessions">
      <h3>{text.sessions}</h3>
      {isPending ? <p role="status">{text.devices.loading}</p> : null}
      {isError && !data ? (
        <LoadAgain text={text.devices.loadFailed} onRetry={() => inBackground(refetch())} />
      ) : null}
      {data === null ? <TooOld /> : null}
      {data ? <Devices sessions={data} /> : null}
      {others ? (
        <Button disabled={endOthers.isPending} onClick={() => endOthers.mutate()}>
          {text.endOtherSessions}
        </Button>
      ) : (
        <p>{text.devices.onlyThis}</p>
      )}
    </section>
  )
}

const isThis = ({ token }: OwnSession) => token === sessionStore.token()

/** The current session first, then by last activity. */
const order = (one: OwnSession, other: OwnSession) =>
  Number(isThis(other)) - Number(isThis(one)) || other.updatedAt.localeCompare(one.updatedAt)

function TooOld() {
  const signOut = useSignOut('/login')
  return (
    <>
      <p>{text.devices.notFresh}</p>
      <Button onClick={signOut}>{text.devices.signInAgain}</Button>
    </>
  )
}

function Devices({ sessions }: { sessions: readonly OwnSession[] }) {
  return (
    <ul aria-label={text.sessions}>
      {sessions.toSorted(order).map((session) => (
        <Device key={session.id} session={session} />
      ))}
    </ul>
  )
}

function Device({ session }: { session: OwnSession }) {
  const time = useOfficeTime()
  const end = useMutation(endSession)
  const device = deviceOf(session.userAgent)
  const [day, clock] = [time.day(session.createdAt), time.time(session.createdAt)]
  return (
    <li>
      <div>
        <p className="device">
          <b>{device}</b>
          {isThis(session) ? <Chip>{text.devices.thisOne}</Chip> : null}
        </p>
        <p>{fill(text.devices.signedIn, { day, time: clock })}</p>
        <p>
          {isThis(session)
            ? text.devices.activeNow
            : fill(text.devices.lastActive, { day: time.day(session.updatedAt) })}
          {session.ipAddress ? <span className="device-address">{session.ipAddress}</span> : null}
        </p>
      </div>
      {isThis(session) ? null : (
        <Button
          size="small"
          aria-label={fill(text.devices.endOf, { device, day, time: clock })}
          disabled={end.isPending}
          onClick={() => end.mutate(session.token)}
        >
          {text.devices.end}
        </Button>
      )}
    </li>
  )
}
