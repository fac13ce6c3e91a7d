import { act, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Toasts, useToast, type Toast } from './toasts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function open(): Toast {
  let toast: Toast | undefined
  function Screen() {
    const one = useToast()
    toast = one
    return null
  }
  render(
    <Toasts top={8}>
      <Screen />
    </Toasts>,
  )
  if (!toast) throw new Error('nothing was rendered')
  return toast
}

const pass = (milliseconds: number) => act(() => vi.advanceTimersByTimeAsync(milliseconds))
const on = (text: string | RegExp) => screen.queryAllByText(text)

/** The time in milliseconds for which a toast is shown, to the nearest tenth of a second. */
async function standing(text: string, longest = 15_000) {
  let waited = 0
  await pass(0)
  expect(on(text)).toHaveLength(1)
  while (on(text).some((one) => !one.closest('[class*="-leave"]')) && waited < longest) {
    await pass(100)
    waited += 100
  }
  return waited
}

const about = (milliseconds: number) => expect.closeTo(milliseconds, -3) as number

// S9.toast.03
test.each(['error', 'info', 'warning'] as const)('%s stays for 4000 ms', async (kind) => {
  open()[kind]('A short message')
  expect(await standing('A short message')).toEqual(about(4_000))
})

// S9.toast.04
test('a success stays for 2000 ms', async () => {
  open().success('Done')
  expect(await standing('Done')).toEqual(about(2_000))
})

// S9.toast.01
test('a toast with a duration of its own stays that long', async () => {
  open().info('New visit', { seconds: 5 })
  expect(await standing('New visit')).toEqual(about(5_000))
})

// S9.toast.05
test('a loading toast stays until it is dismissed', async () => {
  const toast = open()
  toast.loading('Exporting', { key: 'export' })
  expect(await standing('Exporting', 60_000)).toBe(60_000)
  toast.dismiss('export')
  expect(await standing('Exporting')).toBeLessThan(1_000)
})

test('a toast with a key is shown once, however often it is requested', async () => {
  const toast = open()
  toast.error('Failed to load services', { key: 'services' })
  toast.error('Failed to load services', { key: 'services' })
  await pass(0)
  expect(on('Failed to load services')).toHaveLength(1)
})

// S9.toast.02
test('at most twenty are shown at once, the newest', async () => {
  const toast = open()
  for (let number = 1; number <= 25; number += 1) toast.error(`Toast ${number}.`)
  await pass(100)
  const shown = on(/^Toast \d+\.$/).filter((one) => !one.closest('[class*="-leave"]'))
  expect(shown).toHaveLength(20)
  expect(shown.at(-1)).toHaveTextContent('Toast 25.')
})

test("the server's reason is shown under the sentence", async () => {
  open().error('Failed to approve visitor', { reason: 'Visit is already denied' })
  await pass(0)
  expect(screen.getByText('Failed to approve visitor').nextElementSibling).toHaveTextContent(
    'Visit is already denied',
  )
})
