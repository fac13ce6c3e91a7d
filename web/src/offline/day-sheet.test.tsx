import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render, waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { visitKeys } from '@/features/visits/data/queries'
import texts from '@/locales/en/offline-desk.json'
import { visitOf } from '@/test/fixtures'
import { OfficeTimeProvider } from '@/ui/office-time'
import { today } from './clock'
import { DaySheet } from './day-sheet'
import { update } from './state'
import type { NotedRow } from './store'

const kept = vi.hoisted(() => ({ rows: [] as NotedRow[] }))

vi.mock('./store', () => ({ notedRows: () => Promise.resolve(kept.rows) }))
vi.mock('./cipher', () => ({
  unseal: ({ number }: NotedRow) =>
    Promise.resolve({
      name: `Slip ${number}`,
      service_name: 'ITR Filing',
      arrived_at: '2026-11-20T05:30:00.000Z',
    }),
}))

/** The headings and first cells on paper when the print dialog opens; with headings, also the whole text. */
async function printed(): Promise<(string | null)[]> {
  const client = new QueryClient()
  client.setQueryData(visitKeys.today, { rows: [visitOf(7)], position: undefined, wholeFrom: 0 })
  let rows: (string | null)[] | undefined
  vi.stubGlobal('print', () => {
    rows = [...document.querySelectorAll('.day-sheet :is(h2, td:first-child)')].map((one) => one.textContent)
    if (document.querySelector('.day-sheet h2'))
      rows.push(document.querySelector('.day-sheet')?.textContent ?? '')
  })
  update({ series: 'A' })
  const sheet = (
    <QueryClientProvider client={client}>
      <OfficeTimeProvider timeZone="Asia/Kolkata">
        <DaySheet
          text={texts.offlineDesk}
          asOf={undefined}
          unsent={kept.rows.length}
          onPrinted={() => undefined}
        />
      </OfficeTimeProvider>
    </QueryClientProvider>
  )
  render(sheet)
  await waitFor(() => expect(rows).toBeDefined())
  return rows ?? []
}

test('slips of earlier days that are not sent are on the printed list with their day', async () => {
  kept.rows = [
    { day: '2026-11-20', number: 4 } as NotedRow,
    { day: '2026-11-21', number: 1, refused: 'series_conflict' } as NotedRow,
    { day: today(), number: 2 } as NotedRow,
  ]
  const rows = await printed()
  expect(rows.slice(0, -1)).toEqual(['T-007', 'Of earlier days, not sent yet', 'A-004', 'A-001'])
  expect(rows.at(-1)).toMatch(/A-004Slip 4ITR Filing20 Nov 2026, 11:00.*A-001Slip 1ITR Filing21 Nov 2026, /)
})

test('without them the list is that of today', async () => {
  kept.rows = [{ day: today(), number: 2 } as NotedRow]
  expect(await printed()).toEqual(['T-007'])
})
