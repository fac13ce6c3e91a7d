import { screen, waitFor, within } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { expect, test } from 'vitest'
import type { Visit } from '@/api/types'
import { dialogOf } from '@/test/dialog-of'
import { consultantOf, userOf, visitOf } from '@/test/fixtures'
import { changed } from '@/test/life'
import { openOffice } from '@/test/office'
import { renderApp } from '@/test/render-app'
import { server } from '@/test/server'

const at = (minute: number) => `2026-11-20T05:${minute}:00.000Z`
const arrivals = [1, 2, 3, 4].map((number) =>
  visitOf(number, { createdAt: at(30 + number), notes: `Came for letter ${number}` }),
)

type Batch = { action: 'approve' | 'leave' | 'undo'; visits: { id: string }[] }
const call = 'POST /api/visits/batch'
const stages = { approve: 'waiting', leave: 'left', undo: 'new' } as const

const alreadyApproved = {
  code: 'visit_already_decided',
  error: 'Visit is already approved',
  params: { status: 'approved' },
}

/** A visit after a change. After an undo, the visit has nothing that can be undone. */
function after(visit: Visit, action: Batch['action']): Visit {
  if (action !== 'undo') return changed(visit, action, stages[action], 'Rekha')
  const { queue, ...next } = changed(visit, 'approve', stages.undo, 'Rekha')
  return { ...next, queue: { ...queue, undo: null } }
}

/** The PA's list; `refused` are the visits that a batch does not change. */
function openSeveral(refused: readonly string[] = []) {
  const office = openOffice({
    user: userOf('pa'),
    visits: arrivals,
    consultants: [consultantOf('kavita', 'Kavita Rao')],
  })
  office.answer(call, () => {
    const { action, visits } = office.requests(call).at(-1)?.body as Batch
    const results = visits
      .flatMap(({ id }) => office.state.visits.filter((visit) => visit.id === id))
      .map((visit) =>
        refused.includes(visit.id)
          ? { id: visit.id, visit: null, error: alreadyApproved }
          : { id: visit.id, visit: after(visit, action), error: null },
      )
    office.state.visits = office.state.visits.map(
      (one) => results.find(({ id }) => id === one.id)?.visit ?? one,
    )
    return { results }
  })
  return { office, ...renderApp('/dashboard/pa') }
}

const keysOf = (office: ReturnType<typeof openOffice>) =>
  office.requests(call).map(({ headers }) => headers.get('Idempotency-Key'))

const row = (token: string) => screen.findByRole('article', { name: new RegExp(token) })
const select = async (token: string) =>
  within(await row(token)).findByRole('checkbox', { name: `Select ${token}` })

test('selected rows go to the line with one request, and one undo brings them back', async () => {
  const { office, person } = openSeveral()
  for (const token of ['T-003', 'T-001', 'T-002']) await person.click(await select(token))
  expect(screen.getByText('3 selected')).toBeVisible()
  await person.click(screen.getByRole('button', { name: 'Send 3 to line' }))
  expect(await screen.findByText('Visitor approveed successfully')).toBeInTheDocument()
  const ids = ['visit-1', 'visit-2', 'visit-3']
  expect(office.requests(call).map(({ body }) => body)).toEqual([
    { action: 'approve', line: true, visits: ids.map((id) => ({ id, version: 1 })) },
  ])
  expect(screen.getAllByRole('article')).toHaveLength(1)
  await waitFor(async () => expect(within(await row('T-004')).getByRole('combobox')).toHaveFocus())
  expect(screen.queryByText(/selected$/)).toBeNull()

  await person.click(await screen.findByRole('button', { name: 'Undo: 3 sent to the line.' }))
  await waitFor(() => expect(screen.getAllByRole('article')).toHaveLength(4))
  expect(office.requests(call).at(-1)?.body).toEqual({
    action: 'undo',
    visits: ids.map((id) => ({ id, version: 2 })),
  })
  expect(screen.queryByRole('button', { name: /^Undo: / })).toBeNull()
  expect(await select('T-001')).not.toBeChecked()
  expect(screen.queryByText(/selected$/)).toBeNull()
})

test('by keys: Shift+F8 selects the row, Ctrl+F8 all, Ctrl+Enter approves for the chosen consultant', async () => {
  const { office, person } = openSeveral()
  await row('T-001')
  await person.keyboard('{F2}{Shift>}{F8}{/Shift}')
  expect(await select('T-001')).toBeChecked()
  expect(screen.getByRole('checkbox', { name: 'All' })).not.toBeChecked()
  await person.keyboard('{Control>}{F8}{/Control}')
  expect(screen.getByText('4 selected')).toBeVisible()
  await person.keyboard('{Control>}{Enter}{/Control}')
  expect(office.requests(call)).toHaveLength(0)
  expect(screen.getByRole('button', { name: 'Approve 4' })).toBeDisabled()
  await person.click(screen.getByRole('combobox', { name: 'Consultant for the selected visitors' }))
  await person.click(await screen.findByTitle('Kavita Rao (queue 0)'))
  expect(screen.getByRole('button', { name: 'Approve 4 to Kavita Rao' })).toBeEnabled()
  await person.keyboard('{F2}{Control>}{Enter}{/Control}')
  await waitFor(() =>
    expect(office.requests(call)[0]?.body).toMatchObject({
      action: 'approve',
      assigned_consultant_id: 'kavita',
      visits: arrivals.map(({ id }) => ({ id })),
    }),
  )
  expect(await screen.findByText('No pending approvals')).toBeVisible()
})

test('Ctrl+F8 at the button that the tools replace moves the focus to All', async () => {
  const { person } = openSeveral()
  await row('T-001')
  ;(await screen.findByRole('button', { name: 'Close the day' })).focus()
  await person.keyboard('{Control>}{F8}{/Control}')
  expect(await screen.findByText('4 selected')).toBeVisible()
  expect(screen.getByRole('checkbox', { name: 'All' })).toHaveFocus()
})

test('what failed stays selected, and one toast names it; typed notes are sent', async () => {
  const { office, person } = openSeveral(['visit-2'])
  await person.type(within(await row('T-001')).getByPlaceholderText('PA Notes'), 'Brought the notice')
  await person.keyboard('{Control>}{F8}{/Control}{Control>}{Shift>}{Enter}{/Shift}{/Control}')
  expect(await screen.findByText('Failed to approve visitor')).toBeInTheDocument()
  expect(screen.getByText('T-002: Visit is already approved')).toBeInTheDocument()
  expect(screen.queryByText('Visitor approveed successfully')).toBeNull()
  expect(office.requests(call).map(({ body }) => (body as { notes?: string }).notes)).toEqual([
    'Brought the notice',
    undefined,
  ])
  expect(screen.getAllByRole('article')).toHaveLength(1)
  expect(await select('T-002')).toBeChecked()
  expect(await screen.findByRole('button', { name: 'Undo: 3 sent to the line.' })).toBeVisible()
  expect(screen.queryByText(/Your unsent notes/)).toBeNull()
})

test('a visitor whom a colleague changed since is left out of the undo', async () => {
  const { office, person } = openSeveral()
  await row('T-001')
  await person.keyboard('{Control>}{F8}{/Control}{Control>}{Shift>}{Enter}{/Shift}{/Control}')
  await screen.findByRole('button', { name: 'Undo: 4 sent to the line.' })
  office.send({ type: 'status_update', data: { visitId: 'visit-1', version: 3, token: 'T-001' } })
  expect(await screen.findByRole('button', { name: 'Undo: 3 sent to the line.' })).toBeVisible()
})

test('a toast names up to three refused visits, and another try has a key of its own', async () => {
  const { office, person } = openSeveral(arrivals.map(({ id }) => id))
  await row('T-001')
  await person.keyboard('{Control>}{F8}{/Control}{Control>}{Shift>}{Enter}{/Shift}{/Control}')
  const toast = await screen.findByText(/^T-001: Visit is already approved/)
  expect(toast.textContent.split('\n').map((line) => line.slice(0, 6))).toEqual([
    'T-001:',
    'T-002:',
    'T-003:',
  ])
  expect(screen.getByText('4 selected')).toBeVisible()
  await person.click(screen.getByRole('button', { name: 'Send 4 to line' }))
  await waitFor(() => expect(office.requests(call)).toHaveLength(2))
  expect(new Set(keysOf(office)).size).toBe(2)
})

test('a request without results is repeated with its key', async () => {
  const { office, person } = openSeveral()
  await row('T-001')
  office.fail(call)
  await person.keyboard('{Control>}{F8}{/Control}{Control>}{Shift>}{Enter}{/Shift}{/Control}')
  expect(await screen.findByText('Failed to approve visitor')).toBeInTheDocument()
  expect(screen.getByText('4 selected')).toBeVisible()
  office.mend(call)
  await person.click(screen.getByRole('button', { name: 'Send 4 to line' }))
  expect(await screen.findByText('No pending approvals')).toBeVisible()
  expect(office.requests(call)).toHaveLength(2)
  expect(new Set(keysOf(office)).size).toBe(1)
})

test('a request that fails after another was answered is repeated with its key', async () => {
  const { office, person } = openSeveral()
  await person.type(within(await row('T-001')).getByPlaceholderText('PA Notes'), 'Brought the notice')
  let failed: string | null = null
  server.use(
    http.post('*/api/visits/batch', async ({ request }) => {
      const { notes } = (await request.clone().json()) as { notes?: string }
      if (notes || failed) return undefined
      failed = request.headers.get('Idempotency-Key')
      return HttpResponse.json({ error: 'no', code: 'unavailable', request_id: 'r' }, { status: 503 })
    }),
  )
  await person.keyboard('{Control>}{F8}{/Control}{Control>}{Shift>}{Enter}{/Shift}{/Control}')
  expect(await screen.findByText('Failed to approve visitor')).toBeInTheDocument()
  const again = await screen.findByRole('button', { name: 'Send 3 to line' })
  await waitFor(() => expect(again).toBeEnabled())
  await person.click(again)
  expect(await screen.findByText('No pending approvals')).toBeVisible()
  const [first, repeated] = keysOf(office)
  expect(repeated).toBe(failed)
  expect(repeated).not.toBe(first)
})

test('while a decision is sent, its rows cannot be decided, and notes of another row keep the focus', async () => {
  const { office, person } = openSeveral(['visit-2'])
  for (const token of ['T-001', 'T-002']) await person.click(await select(token))
  const release = office.hold(call)
  await person.click(screen.getByRole('button', { name: 'Send 2 to line' }))
  await waitFor(() => expect(office.requests(call)).toHaveLength(1))
  const buttonOf = async (token: string, name: string) =>
    within(await row(token)).getByRole('button', { name })
  for (const name of ['Send to line', 'Deny']) expect(await buttonOf('T-001', name)).toBeDisabled()
  expect(await buttonOf('T-003', 'Deny')).toBeEnabled()
  const notes = within(await row('T-003')).getByPlaceholderText('PA Notes')
  await person.type(notes, 'Came for')
  release()
  const again = await screen.findByRole('button', { name: 'Send 1 to line' })
  await waitFor(() => expect(again).toBeEnabled())
  expect(notes).toHaveFocus()
  expect(await buttonOf('T-002', 'Deny')).toBeEnabled()
})

test('the day is closed for all visitors with one request, without the notes of reception', async () => {
  const { office, person } = openSeveral()
  await person.click(await screen.findByRole('button', { name: 'Close the day' }))
  await person.click(await screen.findByRole('button', { name: 'All left...' }))
  const question = within(await dialogOf('End 4 visits?'))
  expect(question.getByText("They count as left, and the visitors' phones show it.")).toBeVisible()
  expect(office.requests(call)).toHaveLength(0)
  await person.click(question.getByRole('button', { name: 'End 4 visits' }))
  expect(await screen.findByRole('button', { name: 'Undo: 4 marked as left.' })).toBeInTheDocument()
  expect(office.requests(call).map(({ body }) => body)).toEqual([
    { action: 'leave', visits: arrivals.map(({ id }) => ({ id, version: 1 })) },
  ])
})

test('the question about all visitors closes with its answer, also when a visit was refused', async () => {
  const { person } = openSeveral(['visit-2'])
  await person.click(await screen.findByRole('button', { name: 'Close the day' }))
  await person.click(await screen.findByRole('button', { name: 'All left...' }))
  const question = within(await dialogOf('End 4 visits?'))
  await person.click(question.getByRole('button', { name: 'End 4 visits' }))
  expect(await screen.findByText('T-002: Visit is already approved')).toBeInTheDocument()
  await waitFor(() => expect(screen.queryByText(/^End \d+ visits?\?$/)).toBeNull())
  await waitFor(() => expect(screen.getByRole('button', { name: 'Left: T-002' })).toBeEnabled())
})
