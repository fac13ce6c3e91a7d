import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useId, useRef } from 'react'
import { fill } from '@/messages'
import { ask } from './ask'
import { unseal } from './cipher'
import { timeOf } from './clock'
import { refresh } from './outbox'
import { deskState, useDeskState } from './state'
import { dropRows, outboxRows, type OutboxRow } from './store'
import type { Texts } from './texts'
import { tokenOf, type Noted } from './visits'

type Props = { text: Texts; unsent: number; onClose: () => void }

const readUnsent = async () =>
  Promise.all((await outboxRows()).map(async (row) => ({ ...row, noted: await unseal<Noted>(row) })))

/** What this desk has noted and not sent. What the server does not take can be deleted. */
export function UnsentDialog({ text, unsent, onClose }: Props) {
  const { data = [] } = useQuery({
    queryKey: ['offline-desk', 'unsent', unsent],
    queryFn: readUnsent,
    networkMode: 'always',
    staleTime: 0,
    gcTime: 0,
  })
  const client = useQueryClient()
  const { problem } = useDeskState()
  const remove = async (row: Pick<OutboxRow, 'day' | 'number'>, { name }: Noted) => {
    const token = tokenOf(deskState().series, row.number)
    if (!(await ask(fill(text.removeAsk, { token, name }), text.remove, text.close))) return
    await dropRows([row])
    await refresh(client)
  }
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
            <td />
          </tr>
        </thead>
        <tbody>
          {data.map(({ day, number, noted, refused }) => (
            <tr key={`${day} ${number}`}>
              <td>{tokenOf(deskState().series, number)}</td>
              <td>
                {noted.name}
                {refused ? <small> ({text.refusedRow})</small> : null}
              </td>
              <td>{noted.service_name}</td>
              <td>{timeOf(noted.arrived_at)}</td>
              <td>
                {refused || problem === 'revoked' ? (
                  <button
                    type="button"
                    className="desk-button"
                    onClick={() => void remove({ day, number }, noted)}
                  >
                    {text.remove}
                  </button>
                ) : null}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className="desk-dialog-actions">
        <button type="button" className="desk-button" autoFocus onClick={() => dialog.current?.close()}>
          {text.close}
        </button>
      </p>
    </dialog>
  )
}
