import { expect, test } from 'vitest'
import { Fault } from './fault'
import { isRefusal } from './refusal'

const faultOf = (status: number, code?: string) => new Fault('failed', { status, ...(code ? { code } : {}) })

test.each([0, 401, 408, 429, 500, 502, 503, 504])('a call that fails with %i may succeed later', (status) => {
  expect(isRefusal(faultOf(status))).toBe(false)
})

test.each([400, 403, 404, 409, 422])('a call that fails with %i fails again', (status) => {
  expect(isRefusal(faultOf(status))).toBe(true)
})

test('a call whose first attempt is still running may succeed later', () => {
  expect(isRefusal(faultOf(409, 'busy_key'))).toBe(false)
  expect(isRefusal(new Error('no response was read'))).toBe(false)
})
