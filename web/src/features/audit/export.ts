import { mutationOptions } from '@tanstack/react-query'
import { productFetch, timeoutMs } from '@/api/client'
import { Fault } from '@/api/fault'
import { messages } from '@/admin-messages'
import { save } from '@/ui/save-file'
import { rowCounter } from './row-counter'

const text = messages.auditRecords.export

/** Progress of the download: received visits, and the total if the server sends it. */
export type Progress = { rows: number; total: number | null }

export type ExportOrder = {
  start?: string
  end?: string
  today: string
  /** Cancels the export. */
  signal: AbortSignal
  onProgress: (progress: Progress) => void
}

export type ExportResult = Progress & { cancelled: boolean }

/**
 * Downloads the visits of a period as a CSV file and saves it, unless it is cancelled. Rejects with
 * 'Failed to export data', or after a 401 with 'Unauthorized access'.
 */
export const exportVisitors = mutationOptions({
  mutationKey: ['audit', 'export'],
  mutationFn: async (order: ExportOrder): Promise<ExportResult> => {
    try {
      const { file, ...progress } = await load(order)
      save(file, fileName(order))
      return { ...progress, cancelled: false }
    } catch (cause) {
      if (order.signal.aborted) return { rows: 0, total: null, cancelled: true }
      throw cause instanceof Fault ? cause : new Fault(text.failed, { status: 0 })
    }
  },
  meta: {
    success: ({ cancelled }: ExportResult) => (cancelled ? text.cancelled : text.done),
    failure: text.failed,
  },
})

async function load({ start, end, signal, onProgress }: ExportOrder) {
  const query = new URLSearchParams({
    ...(start ? { start_date: start } : {}),
    ...(end ? { end_date: end } : {}),
  })
  // The timeout applies to the response headers only: a year of visits may take longer to download.
  let timer = 0
  const limit = () => {
    const patience = new AbortController()
    clearTimeout(timer)
    timer = window.setTimeout(() => patience.abort(), timeoutMs)
    return AbortSignal.any([patience.signal, signal])
  }
  const url = new URL(`/api/analytics/export?${query.toString()}`, globalThis.location.origin)
  try {
    const response = await productFetch(new Request(url), limit)
    clearTimeout(timer)
    if (!response.ok) throw new Fault(text.failed, { status: response.status })
    return await receive(response, onProgress)
  } finally {
    clearTimeout(timer)
  }
}

async function receive(response: Response, onProgress: (progress: Progress) => void) {
  const announced = response.headers.get('X-Row-Count')
  const total = announced === null ? null : Number(announced)
  const counter = rowCounter()
  const pieces: Uint8Array<ArrayBuffer>[] = []
  const reader = response.body?.getReader()
  for (let next = await reader?.read(); next && !next.done; next = await reader?.read()) {
    pieces.push(next.value)
    onProgress({ rows: counter.add(next.value), total })
  }
  return { file: new Blob(pieces, { type: 'text/csv;charset=utf-8' }), rows: counter.rows(), total }
}

const fileName = ({ start, end, today }: ExportOrder) => `visitors_${start ?? today}_${end ?? today}.csv`
