import { afterEach, expect, test, vi } from 'vitest'
import { messages } from '@/messages'
import { openingOf } from './opening-hours'

afterEach(() => {
  vi.unstubAllGlobals()
  vi.resetModules()
})

async function inMarathi() {
  vi.stubGlobal('translation', { language: 'mr', messages })
  vi.resetModules()
  return import('./opening-hours')
}

test('in English the hours are those of the office document', () => {
  const hours = { days: 'Monday-Friday', open: '9 AM', close: '7 PM' }
  expect(openingOf(hours)).toEqual(hours)
})

test('in another language days and times are written in it, with Latin digits', async () => {
  const marathi = await inMarathi()
  expect(marathi.openingOf({ days: 'Monday-Friday', open: '9 AM', close: '7:30 PM' })).toEqual({
    days: 'सोमवार-शुक्रवार',
    open: expect.stringMatching(/^\P{Script=Latin}*9:00\P{Script=Latin}*$/u) as unknown,
    close: expect.stringMatching(/^\P{Script=Latin}*7:30\P{Script=Latin}*$/u) as unknown,
  })
  expect(marathi.openingOf({ days: 'Saturday, Sunday', open: null, close: null })).toEqual({
    days: 'शनिवार, रविवार',
    open: null,
    close: null,
  })
})
