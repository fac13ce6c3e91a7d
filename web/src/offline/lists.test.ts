import { expect, test, vi } from 'vitest'
import { QueryClient } from '@tanstack/react-query'
import { visitKeys } from '@/features/visits/data/queries'
import { visitOf } from '@/test/fixtures'
import { forgetErased, keepLists, seedLists } from './lists'
import type { Sealed } from './store'

const kept = vi.hoisted(() => ({ lists: new Map<string, unknown>() }))

vi.mock('./store', () => ({
  keepList: (name: string, sealed: object, at: string) =>
    Promise.resolve(kept.lists.set(name, { ...sealed, at })),
  keptList: (name: string) => Promise.resolve(kept.lists.get(name)),
}))
// These tests are not about encryption.
vi.mock('./cipher', () => ({
  seal: (value: unknown) => Promise.resolve({ value }),
  unseal: ({ value }: Sealed & { value: unknown }) => Promise.resolve(value),
}))

async function keep() {
  const client = new QueryClient()
  const rows = [visitOf(1), visitOf(2, { notes: 'Loan', receptionNotes: 'Loan' }), visitOf(3)]
  client.setQueryData(visitKeys.today, { rows, position: undefined, wholeFrom: 0 })
  await keepLists(client)
}

/** The names, phone numbers and notes in the list of a page that is opened without the server. */
async function shown() {
  const client = new QueryClient()
  await seedLists(client)
  const list = client.getQueryData<{ rows: ReturnType<typeof visitOf>[] }>(visitKeys.today)
  return list?.rows.map(({ name, phone, notes }) => `${name}${phone}${notes}`)
}

test('the kept list has names and no phones and notes', async () => {
  await keep()
  expect(await shown()).toEqual(['Visitor 1', 'Visitor 2', 'Visitor 3'])
})

test('erased persons are deleted from the kept list, the others stay', async () => {
  await keep()
  await forgetErased(['visit-2', 'visit-9'])
  expect(await shown()).toEqual(['Visitor 1', 'Visitor 3'])
  expect(JSON.stringify([...kept.lists])).not.toContain('Visitor 2')
})

test('the list of a day that is over is deleted', async () => {
  await keep()
  vi.useFakeTimers({ now: Date.now() + 86_400_000 })
  await forgetErased([])
  vi.useRealTimers()
  expect(JSON.stringify([...kept.lists])).not.toContain('Visitor')
})
