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
import { browserOf } from './browser'
import { useSignOut } from './sign-out'

const text = messages.settings

export function Sessions() {
  const { data, isPending, isError, refetch } = useQuery(sessionsQuery)
  const endOthers = useMutation(endOtherSessions)
  const others = data?.some((one) => !isThis(one)) ?? true
  return (
    <section className="sessions">
      <h3>{text.sessions}</h3>
      {isPending ? <p role="status">{text.browsers.loading}</p> : null}
      {isError && !data ? (
        <LoadAgain text={text.browsers.loadFailed} onRetry={() => inBackground(refetch())} />
      ) : null}
      {data === null ? <TooOld /> : null}
      {data ? <OpenSessions sessions={data} /> : null}
      {others ? (
        <Button disabled={endOthers.isPending} onClick={() => endOthers.mutate()}>
          {text.endOtherSessions}
        </Button>
      ) : (
        <p>{text.browsers.onlyThis}</p>
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
      <p>{text.browsers.notFresh}</p>
      <Button onClick={signOut}>{text.browsers.signInAgain}</Button>
    </>
  )
}

function OpenSessions({ sessions }: { sessions: readonly OwnSession[] }) {
  return (
    <ul aria-label={text.sessions}>
      {sessions.toSorted(order).map((session) => (
        <OpenSession key={session.id} session={session} />
      ))}
    </ul>
  )
}

function OpenSession({ session }: { session: OwnSession }) {
  const time = useOfficeTime()
  const end = useMutation(endSession)
  const browser = browserOf(session.userAgent)
  const [day, clock] = [time.day(session.createdAt), time.time(session.createdAt)]
  return (
    <li>
      <div>
        <p className="session-browser">
          <b>{browser}</b>
          {isThis(session) ? <Chip>{text.browsers.thisOne}</Chip> : null}
        </p>
        <p>{fill(text.browsers.signedIn, { day, time: clock })}</p>
        <p>
          {isThis(session)
            ? text.browsers.activeNow
            : fill(text.browsers.lastActive, { day: time.day(session.updatedAt) })}
          {session.ipAddress ? <span className="session-address">{session.ipAddress}</span> : null}
        </p>
      </div>
      {isThis(session) ? null : (
        <Button
          size="small"
          aria-label={fill(text.browsers.endOf, { browser, day, time: clock })}
          disabled={end.isPending}
          onClick={() => end.mutate(session.token)}
        >
          {text.browsers.end}
        </Button>
      )}
    </li>
  )
}
