import { act, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ToastShelf } from './toast-shelf'
import { useToasts } from './use-toasts'

function Shelf() {
  const { toasts, show, remove } = useToasts()
  return (
    <>
      <button onClick={() => show('success', 'Sent')}>succeed</button>
      <button onClick={() => show('error', `Failure ${toasts.length + 1}`, 'The service is not available.')}>
        fail
      </button>
      <ToastShelf toasts={toasts} onGone={remove} />
    </>
  )
}

const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }))
const wait = (ms: number) => {
  act(() => void vi.advanceTimersByTime(ms))
}

beforeEach(() => {
  vi.useFakeTimers()
  render(<Shelf />)
})

afterEach(() => {
  vi.useRealTimers()
})

// S9.toast.04
test('a success stays for 2000 ms and is announced politely', () => {
  press('succeed')
  wait(1999)
  expect(screen.getByRole('status')).toHaveTextContent('Sent')
  wait(1)
  expect(screen.getByRole('status')).toBeEmptyDOMElement()
})

// S9.toast.03
test('an error stays for 4000 ms, is announced at once and has the reason', () => {
  press('fail')
  wait(3999)
  expect(screen.getByRole('alert')).toHaveTextContent('Failure 1')
  expect(screen.getByRole('alert')).toHaveTextContent('The service is not available.')
  wait(1)
  expect(screen.getByRole('alert')).toBeEmptyDOMElement()
})

// S9.toast.02
test('at most 20 toasts are shown at once, and the oldest are removed first', () => {
  for (let number = 1; number <= 20; number++) press('fail')
  expect(screen.getByText('Failure 1')).toBeVisible()
  press('succeed')
  expect(screen.queryByText('Failure 1')).not.toBeInTheDocument()
  expect(screen.getAllByText(/^Failure|^Sent/)).toHaveLength(20)
})
