import { afterEach, expect, test, vi } from 'vitest'
import { messages } from '@/messages'
import { comingDays, namedDaySentences } from './named-days'

const times = {
  hours: [{ days: 'Monday-Friday', open: '9 AM', close: '7 PM' }],
  yearly: [{ month: 1, day: 26, name: 'Republic Day', texts: { mr: 'प्रजासत्ताक दिन' } }],
  specialDays: [
    { date: '2027-01-02', name: '', open: null, close: null },
    {
      date: '2027-01-03',
      name: 'Last day of filing',
      open: '10 AM',
      close: '4:30 PM',
      breaks: [{ from: '1 PM', to: '2 PM' }],
    },
  ],
}

afterEach(() => {
  vi.unstubAllGlobals()
  vi.resetModules()
})

test('a closed day has a sentence with its name, and one without a name ends before it', () => {
  expect(namedDaySentences(times, '2027-01-26')).toEqual(['Closed on 26 January: Republic Day'])
  expect(namedDaySentences(times, '2027-01-02')).toEqual(['Closed on 2 January'])
  expect(namedDaySentences(times, '2027-01-04')).toEqual([])
})

test('a special day that is open has a sentence for each span', () => {
  expect(namedDaySentences(times, '2027-01-03')).toEqual([
    'On 3 January open 10:00 AM to 1:00 PM: Last day of filing',
    'On 3 January open 2:00 PM to 4:30 PM: Last day of filing',
  ])
})

test('the days from today until 30 days ahead are named', () => {
  expect(comingDays(times, '2027-01-26')).toHaveLength(1)
  expect(comingDays(times, '2026-12-27')).toHaveLength(4)
  expect(comingDays(times, '2026-12-26')).toHaveLength(3)
  expect(comingDays(times, '2027-01-27')).toEqual([])
})

test('a holiday has its name in the language of the page', async () => {
  const opening = { ...messages.opening, closedOn: '{day} रोजी बंद: {name}' }
  vi.stubGlobal('translation', { language: 'mr', messages: { ...messages, opening } })
  vi.resetModules()
  const marathi = await import('./named-days')
  expect(marathi.namedDaySentences(times, '2027-01-26')).toEqual(['26 जानेवारी रोजी बंद: प्रजासत्ताक दिन'])
})
