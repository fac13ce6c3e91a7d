import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useId, useRef } from 'react'
import { sessionStore } from '@/api/session-store'
import { inBackground } from '@/in-background'
import type { Texts } from '@/live/offline-texts'
import { fill } from '@/messages'
import { useOfficeTime } from '@/ui/office-time'
import { ServiceName } from '@/ui/office-words'
import { ask } from './ask'
import { timeOf, today } from './clock'
import { refresh } from './noted'
import { deskState, useDeskState } from './state'
import { dropRows, type NotedRow } from './store'
import { unsentQuery } from './unsent-rows'
import { tokenOf } from './visits'

type Props = { text: Texts; unsent: number; onClose: () => void }

/** The unsent visits of this desk. An admin can delete those that the server will never accept. */
export function UnsentDialog({ text, unsent, onClose }: Props) {
  const { data = [] } = useQuery(unsentQuery(unsent))
  const time = useOfficeTime()
  const dialog = useRef<HTMLDialogElement>(null)
  const title = useId()
  useEffect(() => dialog.current?.showModal(), [])
  return (
    <dialog ref={dialog} className="desk-dialog" aria-labelledby={title} onClose={onClose}>
      <h2 id={title}>{text.list}</h2>
      <table className="desk-unsent">
        <thead>
          <tr>
            <th scope="col">{text.columns.token}</th>
            <th scope="col">{text.columns.name}</th>
            <th scope="col">{text.columns.service}</th>
            <th scope="col">{text.columns.time}</th>
          </tr>
        </thead>
        <tbody>
          {data.map(({ day, number, noted, refused }) => (
            <tr key={`${day} ${number}`}>
              <td>{tokenOf(deskState().series, number)}</td>
              <td>
                {noted ? noted.name : text.unreadableRow}
                {refused ? <small> ({text.refusedRow})</small> : null}
              </td>
              <td>
                {noted ? <ServiceName of={{ id: noted.service_id, name: noted.service_name }} /> : null}
              </td>
              <td>
                {day === today() && noted ? null : time.dayOf(day)}
                {day === today() || !noted ? null : ', '}
                {noted ? timeOf(noted.arrived_at) : null}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className="desk-dialog-actions">
        <DeleteLost text={text} rows={data} />
        <button type="button" className="desk-button" autoFocus onClick={() => dialog.current?.close()}>
          {text.close}
        </button>
      </p>
    </dialog>
  )
}

/**
 * Lets an admin delete what the server will never accept: all visits of a removed desk, otherwise the visits with
 * `refused`. A token that two desks have given out stays until the desk is removed.
 */
function DeleteLost({ text, rows }: { text: Texts; rows: readonly NotedRow[] }) {
  const client = useQueryClient()
  const isRemoved = useDeskState().problem === 'revoked'
  const lost = rows.filter(({ refused }) => isRemoved || (refused && refused !== 'series_conflict'))
  if (lost.length === 0 || sessionStore.user()?.role !== 'admin') return null
  const act = async () => {
    if (!(await ask(fill(text.deleteSure, { count: lost.length }), text.delete, text.close))) return
    await dropRows(lost)
    await refresh(client)
  }
  return (
    <button type="button" className="desk-button" onClick={() => inBackground(act())}>
      {text.delete}
    </button>
  )
}
