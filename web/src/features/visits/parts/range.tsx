import { Button } from 'antd'
import type { Forecast, Line, Stage, Visit } from '@/api/types'
import { counted, fill, plural } from '@/messages'
import { messages } from '@/staff-messages'
import { useOfficeTime } from '@/ui/office-time'
import './range.css'

const text = messages.forecast

type Waits = { stage?: Stage; forecast?: Forecast | null | undefined }

/**
 * The range of times at which a visitor will be called. Its space is reserved before the first forecast. In
 * lists, an underline replaces the note about little history, and a few words say why there is no range.
 */
export function Range({ of: { stage = 'waiting', forecast }, brief = false, narrow = false }: RangeProps) {
  const words = useRangeWords(brief)
  if (forecast === null && (stage === 'new' || stage === 'waiting')) {
    return <small className="range range-blank" aria-hidden="true" />
  }
  if (!forecast) return null
  const early = forecast.early && forecast.from ? text.early : ''
  const notToday = forecast.note === 'may_not_be_today' ? text.notToday : ''
  const underlined = [brief ? early : '', narrow ? notToday : ''].filter(Boolean).join('; ')
  return (
    <small className="range">
      {underlined ? (
        <abbr title={underlined}>
          {words(forecast)}
          <span className="visually-hidden"> ({underlined})</span>
        </abbr>
      ) : (
        <span>{words(forecast)}</span>
      )}
      {/* Lists show the range as running text, in which spaces separate the notes. */}{' '}
      {early && !brief ? <i>{early}</i> : null} {notToday && !narrow ? <i>{notToday}</i> : null}
    </small>
  )
}

type RangeProps = {
  of: Waits
  /** In a list. */
  brief?: boolean
  /** Whether the underline also replaces the note about today, in lists without room for another line. */
  narrow?: boolean
}

/** The words of a range, or why there is none. */
function useRangeWords(brief: boolean) {
  const { shortTime } = useOfficeTime()
  const none = brief ? text.noDeskShort : text.noDesk
  return ({ from, to }: Forecast) =>
    from && to ? fill(text.range, { from: shortTime(from), to: shortTime(to) }) : none
}

/** How much sooner a pinned visitor would be called without the pin, if the difference is large. */
export function PinWarning({ of: { forecast }, token, onUnpin }: PinProps) {
  if (!forecast?.sooner) return null
  return (
    <span className="range-pin">
      {fill(text.sooner, { minutes: forecast.sooner })}
      <Button size="small" aria-label={fill(text.unpinOf, { token })} onClick={onUnpin}>
        {text.unpin}
      </Button>
    </span>
  )
}

type PinProps = { of: Waits; token: string; onUnpin: () => void }

/** How often the ranges were right: null without enough history, undefined while it is not known. */
export function RangeRecord({ accuracy }: { accuracy: Line['accuracy'] }) {
  if (accuracy === undefined) return null
  return (
    <p className="range-record">
      {accuracy
        ? fill(plural(text.right, accuracy.n), {
            percent: Math.round(accuracy.coverage * 100),
            count: counted(accuracy.n),
          })
        : text.notEnough}
    </p>
  )
}

/** Warns reception that the visitor may not be called today. */
export function NotToday({ visit }: { visit: Visit }) {
  if (visit.queue.forecast?.note !== 'may_not_be_today') return null
  return (
    <p className="range-banner" role="status">
      {fill(text.banner, { token: visit.token })}
    </p>
  )
}
