import { useMutation, useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { Fault } from '@/api/fault'
import { pageOffice } from '@/features/office/page-office'
import { textsQuery, type Texts } from '@/live/offline-texts'
import { fill } from '@/messages'
import { keys, read, write } from '@/storage'
import { useToast } from '@/ui/toasts'
import { readIdentity } from './clock'
import { pair } from './server'
import { contact } from './start'
import { useDeskState } from './state'
import { forgetLeases, notedRows, writeKey } from './store'
import './band.css'

/** Pairs this desk, so that it works without network. Not rendered if the office does not allow it. */
export function PairDesk() {
  const { data: text } = useQuery(textsQuery)
  if (!text || !pageOffice().offline?.on) return null
  return (
    <section>
      <h3>{text.pair.title}</h3>
      {window.isSecureContext ? <Pairing text={text} /> : <p>{text.pair.insecure}</p>}
    </section>
  )
}

function Pairing({ text }: { text: Texts }) {
  const [isPaired, setPaired] = useState(() => read(keys.desk) !== null)
  const { problem } = useDeskState()
  const { data: known } = useQuery({
    queryKey: ['offline-desk', 'identity', isPaired],
    queryFn: async () => (await readIdentity()) ?? null,
    networkMode: 'always',
    enabled: isPaired,
  })
  if (isPaired && known && problem !== 'revoked')
    return <p>{fill(text.pair.paired, { name: known.name, series: known.series })}</p>
  return <Code text={text.pair} onPaired={() => setPaired(true)} />
}

function Code({ text, onPaired }: { text: Texts['pair']; onPaired: () => void }) {
  const toast = useToast()
  const [code, setCode] = useState('')
  const [wrong, setWrong] = useState('')
  const problem = useId()
  const send = useMutation({
    mutationFn: pairDesk,
    onSuccess: (device) => {
      toast.success(fill(text.paired, { name: device.name, series: device.series ?? '' }))
      onPaired()
      location.reload()
    },
    onError: (error) => setWrong(wordsOf(error, text)),
  })
  return (
    <>
      <p>{text.text}</p>
      <div className="desk-pair">
        <label>
          {text.code}
          <input
            value={code}
            autoComplete="off"
            maxLength={16}
            aria-invalid={wrong !== ''}
            aria-describedby={problem}
            onChange={({ target }) => setCode(target.value)}
          />
        </label>
        <button
          type="button"
          className="desk-button"
          disabled={send.isPending}
          onClick={() => (code.trim() ? send.mutate(code) : setWrong(text.codeMissing))}
        >
          {text.submit}
        </button>
      </div>
      <p id={problem} role="alert" className="desk-pair-wrong">
        {wrong}
      </p>
    </>
  )
}

class NotADeskError extends Error {}
class UnsentError extends Error {}

const wordsOf = (error: Error, text: Texts['pair']): string => {
  if (error instanceof NotADeskError) return text.notADesk
  if (error instanceof UnsentError) return text.unsent
  return error instanceof Fault && error.status === 404 ? text.wrong : text.failed
}

async function pairDesk(code: string) {
  // Unsent rows have the letter of the desk that was paired before, so they have to be sent first.
  if ((await notedRows()).length > 0) throw new UnsentError()
  const { device, token } = await pair(code)
  if (device.kind !== 'desk') throw new NotADeskError()
  await navigator.storage.persist()
  await forgetLeases()
  await writeKey('token', token)
  await contact()
  write(keys.desk, device.series ?? '')
  return device
}
