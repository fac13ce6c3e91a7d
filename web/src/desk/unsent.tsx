import { useQuery } from '@tanstack/react-query'
import { useEffect, useId, useRef } from 'react'
import { ServiceName } from '@/ui/office-words'
import { unseal } from './cipher'
import { timeOf } from './clock'
import { deskState } from './state'
import { outboxRows } from './store'
import type { Texts } from './texts'
import { tokenOf, type Noted } from './visits'

type Props = { text: Texts; unsent: number; onClose: () => void }

const readUnsent = async () =>
  Promise.all((await outboxRows()).map(async (row) => ({ ...row, noted: await unseal<Noted>(row) })))

/** What this desk has noted and not sent, to be read or printed. */
export function UnsentDialog({ text, unsent, onClose }: Props) {
  const { data = [] } = useQuery({
    queryKey: ['offline-desk', 'unsent', unsent],
    queryFn: readUnsent,
    networkMode: 'always',
  })
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
                {noted.name}
                {refused ? <small> ({text.refusedRow})</small> : null}
              </td>
              <td>
                <ServiceName of={{ id: noted.service_id, name: noted.service_name }} />
              </td>
              <td>{timeOf(noted.arrived_at)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className="desk-dialog-actions">
        <button type="button" className="desk-button" onClick={() => print()}>
          {text.print}
        </button>
        <button type="button" className="desk-button" autoFocus onClick={() => dialog.current?.close()}>
          {text.close}
        </button>
      </p>
    </dialog>
  )
}
