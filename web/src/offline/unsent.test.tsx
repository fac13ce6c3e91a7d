import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test, vi } from 'vitest'
import { sessionStore } from '@/api/session-store'
import type { Role } from '@/api/types'
import texts from '@/locales/en/offline-desk.json'
import { userOf } from '@/test/fixtures'
import { OfficeTimeProvider } from '@/ui/office-time'
import { update, type Problem } from './state'
import type { NotedRow } from './store'
import { UnsentDialog } from './unsent'

const kept = vi.hoisted(() => ({ rows: [] as NotedRow[] }))
const ask = vi.hoisted(() => vi.fn<(question: string) => Promise<boolean>>())

vi.mock('./ask', () => ({ ask }))

vi.mock('./store', () => ({
  notedRows: () => Promise.resolve(kept.rows),
  dropRows: (rows: readonly NotedRow[]) => {
    kept.rows = kept.rows.filter(({ number }) => !rows.some((row) => row.number === number))
    return Promise.resolve()
  },
}))
vi.mock('./cipher', () => ({
  unseal: ({ number }: NotedRow) =>
    Promise.resolve({
      name: `Visitor ${number}`,
      service_name: 'ITR Filing',
      arrived_at: '2026-11-20T05:30:00.000Z',
    }),
}))

const rowOf = (number: number, refused?: string) =>
  ({ day: '2026-11-20', number, key: `key-${number}`, ...(refused ? { refused } : {}) }) as NotedRow

beforeEach(() => {
  HTMLDialogElement.prototype.showModal = function showModal() {
    this.open = true
  }
  kept.rows = [rowOf(1), rowOf(2, 'validation'), rowOf(3, 'series_conflict')]
})

async function open(role: Role, problem: Problem | undefined) {
  sessionStore.save('token', userOf(role))
  update({ series: 'A', problem })
  render(
    <QueryClientProvider client={new QueryClient()}>
      <OfficeTimeProvider timeZone="Asia/Kolkata">
        <UnsentDialog text={texts.offlineDesk} unsent={3} onClose={() => undefined} />
      </OfficeTimeProvider>
    </QueryClientProvider>,
  )
  await screen.findByText('Visitor 3')
}

test('what is not sent is listed with its token, and what was refused says so', async () => {
  await open('reception', undefined)
  const rows = screen.getAllByRole('row').map(({ textContent }) => textContent)
  expect(rows).toEqual([
    'TokenNameServiceTime',
    expect.stringMatching(/^A-001Visitor 1ITR Filing/),
    expect.stringMatching(/^A-002Visitor 2 \(not accepted\)ITR Filing/),
    expect.stringMatching(/^A-003Visitor 3 \(not accepted\)ITR Filing/),
  ])
})

test('reception deletes nothing, also at a desk that was removed', async () => {
  await open('reception', 'revoked')
  expect(screen.queryByRole('button', { name: 'Delete' })).toBeNull()
})

test('an admin deletes all at a desk that was removed, and after the question only', async () => {
  await open('admin', 'revoked')
  ask.mockResolvedValueOnce(false).mockResolvedValueOnce(true)
  await userEvent.click(screen.getByRole('button', { name: 'Delete' }))
  expect(kept.rows).toHaveLength(3)
  await userEvent.click(screen.getByRole('button', { name: 'Delete' }))
  await waitFor(() => expect(kept.rows).toHaveLength(0))
  expect(ask.mock.lastCall?.[0]).toContain('Delete 3 visitors')
})

test('before that, an admin deletes what has a wrong field, and no token that two desks gave out', async () => {
  await open('admin', 'conflict')
  ask.mockResolvedValue(true)
  await userEvent.click(screen.getByRole('button', { name: 'Delete' }))
  await waitFor(() => expect(kept.rows.map(({ number }) => number)).toEqual([1, 3]))
})
