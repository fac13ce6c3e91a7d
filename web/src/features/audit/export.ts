import { mutationOptions } from '@tanstack/react-query'
import { productFetch, timeoutMs } from '@/api/client'
import { Fault } from '@/api/fault'
import { messages } from '@/messages'

export type ExportRange = { start?: string; end?: string; today: string }

/** Loads the visits of some days as a CSV file and hands it to the browser. Rejects with 'Failed to export data'. */
export const exportVisitors = mutationOptions({
  mutationKey: ['audit', 'export'],
  mutationFn: async (range: ExportRange) => save(await load(range), fileName(range)),
  meta: { success: messages.audit.export.done, failure: messages.audit.export.failed },
})

async function load({ start, end }: ExportRange): Promise<Blob> {
  const query = new URLSearchParams({
    ...(start ? { start_date: start } : {}),
    ...(end ? { end_date: end } : {}),
  })
  // The ten seconds are for the answer to begin: a year of visits may take longer to arrive.
  const patience = new AbortController()
  const timer = setTimeout(() => patience.abort(), timeoutMs)
  const url = new URL(`/api/analytics/export?${query.toString()}`, globalThis.location.origin)
  try {
    const response = await productFetch(new Request(url), patience.signal)
    clearTimeout(timer)
    if (!response.ok) throw new Fault(messages.audit.export.failed, { status: response.status })
    return await response.blob()
  } catch (cause) {
    throw cause instanceof Fault ? cause : new Fault(messages.audit.export.failed, { status: 0 })
  } finally {
    clearTimeout(timer)
  }
}

const fileName = ({ start, end, today }: ExportRange) => `visitors_${start ?? today}_${end ?? today}.csv`

const keptMs = 60_000

function save(file: Blob, name: string) {
  const url = URL.createObjectURL(file)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // The browser reads the file some time after the click; a busy one takes a while.
  setTimeout(() => URL.revokeObjectURL(url), keptMs)
}
