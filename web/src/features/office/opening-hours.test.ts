import { afterEach, expect, test, vi } from 'vitest'
import { messages } from '@/messages'
import { openingRows } from './opening-hours'

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
  const hours = [{ days: 'Monday-Friday', open: '9 AM', close: '7 PM' }]
  expect(openingRows(hours)).toEqual([{ days: 'Monday-Friday', spans: [{ open: '9 AM', close: '7 PM' }] }])
})

test('an entry with a break is a row of two spans', () => {
  const breaks = [{ from: '1 PM', to: '2 PM' }]
  expect(openingRows([{ days: 'Monday-Friday', open: '9 AM', close: '7 PM', breaks }])).toEqual([
    {
      days: 'Monday-Friday',
      spans: [
        { open: '9 AM', close: '1 PM' },
        { open: '2 PM', close: '7 PM' },
      ],
    },
  ])
})

test('two entries of the same days are one row with a break', () => {
  const hours = [
    { days: 'Monday-Friday', open: '9 AM', close: '1 PM' },
    { days: 'Monday-Friday', open: '2 PM', close: '7 PM' },
    { days: 'Sunday', open: null, close: null },
  ]
  expect(openingRows(hours)).toEqual([
    {
      days: 'Monday-Friday',
      spans: [
        { open: '9 AM', close: '1 PM' },
        { open: '2 PM', close: '7 PM' },
      ],
    },
    { days: 'Sunday', spans: [] },
  ])
})

test('in another language days and times are written in it, with Latin digits', async () => {
  const marathi = await inMarathi()
  const hours = [
    { days: 'Monday-Friday', open: '9 AM', close: '7:30 PM' },
    { days: 'Saturday, Sunday', open: null, close: null },
  ]
  expect(marathi.openingRows(hours)).toEqual([
    {
      days: 'सोमवार-शुक्रवार',
      spans: [
        {
          open: expect.stringMatching(/^\P{Script=Latin}*9:00\P{Script=Latin}*$/u) as unknown,
          close: expect.stringMatching(/^\P{Script=Latin}*7:30\P{Script=Latin}*$/u) as unknown,
        },
      ],
    },
    { days: 'शनिवार, रविवार', spans: [] },
  ])
})
