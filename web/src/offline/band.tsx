import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useState } from 'react'
import { inBackground } from '@/in-background'
import { textsQuery, type Texts } from '@/live/offline-texts'
import { fill } from '@/messages'
import { Icon } from '@/ui/icon'
import { timeOf } from './clock'
import { DaySheet } from './day-sheet'
import { startShell, useNewVersion } from './shell'
import { startDesk } from './start'
import { useDeskState, type State } from './state'
import { UnsentDialog } from './unsent'
import './band.css'

/** Starts the offline mode's code on a paired desk, and shows the desk's state above reception's form. */
export function OfflineBand() {
  const client = useQueryClient()
  useEffect(() => {
    inBackground(startDesk(client))
    startShell()
  }, [client])
  const { data: text } = useQuery(textsQuery)
  const state = useDeskState()
  if (!text) return null
  return <Band text={text} state={state} />
}

function Band({ text, state }: { text: Texts; state: State }) {
  const [open, setOpen] = useState(false)
  const [isPrinting, setPrinting] = useState(false)
  const printed = useCallback(() => setPrinting(false), [])
  const version = useNewVersion()
  const { mode, problem, unsent, asOf, isLoose } = state
  const calm = mode === 'online' && !problem && unsent === 0
  return (
    <div role="status" className={calm && !version && !isLoose ? 'visually-hidden' : 'desk-band'}>
      {mode === 'online' ? null : <Icon name="wifiOff" size={18} />}
      <div className="desk-band-words">
        {mode === 'offline' ? <b>{fill(text.band, { series: state.series })}</b> : null}
        {mode === 'sending' ? <b>{text.sending}</b> : null}
        {problem ? <b className="desk-band-problem">{text.problems[problem]}</b> : null}
        {mode === 'offline' ? <span>{text.cannot}</span> : null}
        {mode === 'offline' && asOf ? <span>{fill(text.asOf, { time: timeOf(asOf) })}</span> : null}
        {isLoose && calm ? <span>{text.loose}</span> : null}
        {version && calm ? <span>{text.newVersion}</span> : null}
      </div>
      {version && calm ? (
        <button type="button" className="desk-button" onClick={version}>
          {text.load}
        </button>
      ) : null}
      {mode === 'online' && unsent === 0 ? null : (
        <button type="button" className="desk-button" onClick={() => setPrinting(true)}>
          {text.print}
        </button>
      )}
      {isPrinting ? <DaySheet text={text} asOf={asOf} unsent={unsent} onPrinted={printed} /> : null}
      {unsent > 0 ? (
        <button type="button" className="desk-button" onClick={() => setOpen(true)}>
          {fill(text.unsent, { count: unsent })}
        </button>
      ) : null}
      {open ? <UnsentDialog text={text} unsent={unsent} onClose={() => setOpen(false)} /> : null}
    </div>
  )
}
