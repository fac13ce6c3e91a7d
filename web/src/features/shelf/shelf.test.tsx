import { act, fireEvent, render, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Fault } from '@/api/fault'
import { serverNow } from '@/clock'
import { addEntry, addSuccess, clearShelf, removeEntry } from '@/shelf'
import { leaveFlash, Toasts, useToast, type Toast } from '@/ui/toasts'
import { Shelf } from './shelf'
// This import loads the chunk before the tests: a lazy import takes real time, but the timers are fake.
import './shelf-line'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  act(clearShelf)
  vi.useRealTimers()
})

const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))

async function open(): Promise<Toast> {
  let toast: Toast | undefined
  function Page() {
    const one = useToast()
    toast = one
    return <button type="button">Elsewhere</button>
  }
  render(
    <Toasts top={8}>
      <Page />
      <Shelf />
    </Toasts>,
  )
  await pass(0)
  if (!toast) throw new Error('nothing was rendered')
  return toast
}

const add = async (token: string, take: () => Promise<unknown> = () => Promise.resolve()) => {
  const texts = { text: `${token} approveed successfully`, sentence: `${token} approved.` }
  act(() => addEntry({ key: token, ...texts, until: serverNow() + 30_000, take }))
  await pass(0)
}

const announced = () => screen.getByRole('status').textContent.trim()
const shelf = () => within(screen.getByRole('region', { name: 'Undo' }))
const undoOf = (token: string) => shelf().getByRole('button', { name: `Undo: ${token} approved.` })

test('an entry shows its text for two seconds, then its sentence; its buttons are there at once', async () => {
  await open()
  await add('T-001')
  expect(announced()).toBe('T-001 approveed successfully')
  expect(screen.queryByText('T-001 approved.')).toBeNull()
  expect(shelf().getByText('30 s')).toBeInTheDocument()
  expect(undoOf('T-001')).toBeEnabled()
  expect(shelf().getByRole('button', { name: 'Hide: T-001 approved.' })).toBeEnabled()
  await pass(2_000)
  expect(announced()).toBe('')
  expect(shelf().getByText('T-001 approved.')).toBeInTheDocument()
  expect(shelf().getByText('28 s')).toBeInTheDocument()
  await pass(28_000)
  expect(screen.queryByRole('region', { name: 'Undo' })).toBeNull()
})

// S9.toast.04
test('a success without an undo has no button for it, and stays for 2000 ms', async () => {
  const toast = await open()
  act(() => toast.success('Data exported successfully'))
  await pass(1_900)
  expect(announced()).toBe('Data exported successfully')
  expect(document.querySelector('.ant-message-notice')).toBeNull()
  expect(screen.queryByRole('button', { name: /^Undo/ })).toBeNull()
  await pass(200)
  expect(screen.queryByText('Data exported successfully')).toBeNull()
})

test('errors and live toasts stay beside the shelf', async () => {
  const toast = await open()
  act(() => {
    toast.error('Failed to export data')
    toast.show('success', 'Token T-001 approved for Kavita Rao')
  })
  await pass(100)
  expect(announced()).toBe('')
  for (const text of ['Failed to export data', 'Token T-001 approved for Kavita Rao'])
    expect(screen.getByText(text).closest('.ant-message-notice')).toBeInTheDocument()
})

test('the newest is shown, and the others open above it, each with its undo', async () => {
  await open()
  const take = vi.fn(() => Promise.resolve())
  await add('T-001', take)
  await add('T-002')
  await add('T-003')
  expect(announced()).toBe('T-003 approveed successfully')
  expect(screen.queryByText('T-001 approved.')).toBeNull()
  const more = shelf().getByRole('button', { name: '2 more' })
  fireEvent.click(more)
  expect(
    shelf()
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent),
  ).toEqual([expect.stringContaining('T-002 approved.'), expect.stringContaining('T-001 approved.')])
  fireEvent.click(undoOf('T-001'))
  await pass(0)
  expect(take).toHaveBeenCalledOnce()
  expect(screen.queryByText('T-001 approved.')).toBeNull()
  expect(shelf().getByRole('button', { name: '1 more' })).toHaveAttribute('aria-expanded', 'true')
  fireEvent.keyDown(shelf().getByRole('button', { name: '1 more' }), { key: 'Escape' })
  expect(shelf().queryByRole('listitem')).toBeNull()
  // T-002 is shown again, but not announced again.
  act(() => removeEntry('T-003'))
  expect(announced()).toBe('')
  expect(shelf().getByText('T-002 approved.')).toBeInTheDocument()
})

test('Ctrl+F9 undoes the newest change that can be undone, and one at a time', async () => {
  await open()
  const answers: (() => void)[] = []
  const take = vi.fn(() => new Promise<void>((resolve) => void answers.push(resolve)))
  await add('T-001', take)
  await add('T-002', take)
  act(() => addSuccess('Data exported successfully'))
  await pass(0)
  fireEvent.keyDown(window, { key: 'F9', ctrlKey: true })
  await pass(0)
  fireEvent.keyDown(window, { key: 'F9', ctrlKey: true })
  await pass(2_000)
  expect(take).toHaveBeenCalledOnce()
  expect(undoOf('T-002')).toBeDisabled()
  act(() => answers.forEach((answer) => answer()))
  await pass(0)
  expect(screen.queryByText('T-002 approved.')).toBeNull()
  expect(undoOf('T-001')).toBeEnabled()
})

test('an undo that fails goes away, and the focus returns to where it was', async () => {
  await open()
  await add('T-001', () => Promise.reject(new Error('refused')))
  screen.getByText('Elsewhere').focus()
  act(() => undoOf('T-001').focus())
  fireEvent.click(undoOf('T-001'))
  await pass(0)
  expect(screen.getByText('Elsewhere')).toHaveFocus()
  expect(screen.queryByRole('button', { name: /^Undo/ })).toBeNull()
})

test('the key leaves the focus where it is, also after the shelf had it', async () => {
  await open()
  await add('T-001')
  await add('T-002')
  screen.getByText('Elsewhere').focus()
  act(() => undoOf('T-002').focus())
  fireEvent.click(undoOf('T-002'))
  await pass(0)
  const field = document.body.appendChild(document.createElement('input'))
  field.focus()
  fireEvent.keyDown(field, { key: 'F9', ctrlKey: true, bubbles: true })
  await pass(0)
  expect(screen.queryByRole('button', { name: /^Undo/ })).toBeNull()
  expect(field).toHaveFocus()
  field.remove()
})

test('an undo without a response may be tried again; a refused one goes away', async () => {
  await open()
  const failures = [new Fault('no connection', { status: 0 }), new Fault('refused', { status: 409 })]
  const take = vi.fn(() => Promise.reject(failures.shift() ?? new Error('undone a third time')))
  await add('T-001', take)
  fireEvent.click(undoOf('T-001'))
  await pass(0)
  expect(undoOf('T-001')).toBeEnabled()
  fireEvent.click(undoOf('T-001'))
  await pass(0)
  expect(take).toHaveBeenCalledTimes(2)
  expect(screen.queryByRole('button', { name: /^Undo/ })).toBeNull()
})

test('a second change of an entry shows its text as long as the first', async () => {
  await open()
  await add('T-001')
  await pass(1_500)
  await add('T-001')
  await pass(1_500)
  expect(announced()).toBe('T-001 approveed successfully')
  await pass(500)
  expect(announced()).toBe('')
})

test('at most twenty are kept', async () => {
  await open()
  for (let number = 101; number <= 125; number += 1) await add(`T-${number}`)
  expect(shelf().getByRole('button', { name: '19 more' })).toBeInTheDocument()
})

test('the success of the page before is shown', async () => {
  leaveFlash('Logged in successfully')
  await open()
  expect(announced()).toBe('Logged in successfully')
})
