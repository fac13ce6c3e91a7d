import { afterEach, expect, test, vi } from 'vitest'
import { recordServerTime } from '@/clock'
import { watchOffice } from './watch-office'

const seen = { visibility: 'visible' as DocumentVisibilityState }

function watch(readAt = () => Date.now()) {
  vi.spyOn(document, 'visibilityState', 'get').mockImplementation(() => seen.visibility)
  const read = vi.fn(() => Promise.resolve())
  return { read, stop: watchOffice({ zone: () => 'Asia/Kolkata', readAt, read }) }
}

function show(visibility: DocumentVisibilityState) {
  seen.visibility = visibility
  document.dispatchEvent(new Event('visibilitychange'))
}

afterEach(() => {
  vi.useRealTimers()
  recordServerTime(new Date().toUTCString(), Date.now(), Date.now())
})

test("the document is read again at the office's midnight, by the server's clock", () => {
  vi.useFakeTimers({ now: Date.parse('2026-11-20T12:00:00Z') })
  recordServerTime('Fri, 20 Nov 2026 18:29:50 GMT', Date.now(), Date.now())
  const { read, stop } = watch()
  vi.advanceTimersByTime(5_000)
  expect(read).not.toHaveBeenCalled()
  vi.advanceTimersByTime(10_000)
  expect(read).toHaveBeenCalledTimes(1)
  vi.advanceTimersByTime(60_000)
  expect(read).toHaveBeenCalledTimes(1)
  stop()
})

test('a page that becomes visible reads a document that is over 60 seconds old, and no younger one', () => {
  vi.useFakeTimers({ now: Date.parse('2026-11-20T12:00:00Z') })
  const loaded = Date.now()
  const { read, stop } = watch(() => loaded)
  show('hidden')
  vi.advanceTimersByTime(60_000)
  show('visible')
  expect(read).not.toHaveBeenCalled()
  show('hidden')
  vi.advanceTimersByTime(1)
  expect(read).not.toHaveBeenCalled()
  show('visible')
  expect(read).toHaveBeenCalledTimes(1)
  stop()
  vi.advanceTimersByTime(60_000)
  show('visible')
  expect(read).toHaveBeenCalledTimes(1)
})
