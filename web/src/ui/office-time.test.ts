import { afterEach, expect, test, vi } from 'vitest'
import { languages, type Language } from '@/locales/languages'
import { translationIn } from '@/test/catalogues'
import { officeTime } from './office-time'

afterEach(() => {
  vi.unstubAllGlobals()
  vi.resetModules()
})

const time = officeTime('Asia/Kolkata')

test.each([
  ['09:00', '9:00 AM'],
  ['12:00', '12:00 PM'],
  ['17:00', '5:00 PM'],
])('a preferred time of %s is formatted as %s', (preferred, written) => {
  expect(time.timeOf(preferred)).toBe(written)
})

test("a timestamp is formatted in the office's time zone", () => {
  const midnight = '2026-11-20T18:30:00Z'
  expect([time.day(midnight), time.time(midnight)]).toEqual(['21 Nov 2026', '12:00 AM'])
})

const translated = (Object.keys(languages) as Language[]).filter((language) => language !== 'en')
const afternoon = '2026-11-20T08:35:07Z'

test.each([
  ['en', '20 Nov 2026', '2:05 PM', 'Friday'],
  ['hi', '20 नव॰ 2026', 'दोपहर 2:05', 'शुक्रवार'],
  ['kn', '20 ನವೆಂ 2026', '2:05 ಮಧ್ಯಾಹ್ನ', 'ಶುಕ್ರವಾರ'],
  ['ta', '20 நவ. 2026', 'பிற்பகல் 2:05', 'வெள்ளி'],
  ['te', '20 నవం 2026', '2:05 మధ్యాహ్నం', 'శుక్రవారం'],
  ['mr', '20 नोव्हें 2026', 'दुपार 2:05', 'शुक्रवार'],
] as const)('in %s a time is %s, %s, %s', (language, day, time, weekday) => {
  const of = officeTime('Asia/Kolkata', language)
  expect([of.day(afternoon), of.dayOf('2026-11-20'), of.time(afternoon), of.weekdayOf('2026-11-20')]).toEqual(
    [day, day, time, weekday],
  )
  expect([of.shortTime(afternoon), of.timeWithSeconds(afternoon)]).toEqual([
    '2:05',
    time.replace('2:05', '2:05:07'),
  ])
})

test.each(translated)('every format of a page in %s has Latin digits', async (language) => {
  vi.stubGlobal('translation', translationIn(language))
  vi.resetModules()
  const [office, times, days, opening, { months }, clock] = await Promise.all([
    import('./office-time'),
    import('./time-of-day'),
    import('@/features/appointments/long-day'),
    import('@/features/office/opening-hours'),
    import('@/features/due-dates/entries'),
    import('@/board/clock-words'),
  ])
  const of = office.officeTime('Asia/Kolkata')
  const board = clock.clockWords('Asia/Kolkata', language)
  const at = Date.parse(afternoon)
  const [row] = opening.openingRows([{ days: 'Monday to Saturday', open: '9:30 AM', close: '6:00 PM' }])
  const open = row?.days ?? ''
  const from = row?.spans[0]?.open
  const texts = [of.day(afternoon), of.time(afternoon), of.timeOf('14:05'), times.hourOfDay(14)]
  texts.push(days.longDay('2026-11-20'), board.day(at), board.time(at), from ?? '')
  expect(texts.filter((text) => !/[0-9]/.test(text))).toEqual([])
  const all = [...texts, open, ...months.map(({ label }) => label)].join(' ')
  expect(all.replaceAll(/[0-9]/g, '')).not.toMatch(/\p{Nd}/u)
  expect(all).not.toMatch(/\b(Nov|Friday|PM)\b/)
})
