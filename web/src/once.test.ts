import { expect, test, vi } from 'vitest'
import { once } from './once'

test('what is loaded is loaded once, also by calls at the same time', async () => {
  const load = vi.fn(() => Promise.resolve({}))
  const loaded = once(load)
  const [first, second] = await Promise.all([loaded(), loaded()])
  expect(first).toBe(second)
  expect(load).toHaveBeenCalledTimes(1)
})

test('a load that failed is made again by the next call', async () => {
  const load = vi.fn(() => Promise.resolve('texts')).mockRejectedValueOnce(new Error('no network'))
  const loaded = once(load)
  await expect(loaded()).rejects.toThrow('no network')
  expect(await loaded()).toBe('texts')
})
