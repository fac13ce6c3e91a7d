import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { messages } from '@/staff-messages'
import { dueName } from './due-name'

const { entries } = JSON.parse(readFileSync('../services/directory/due_dates.json', 'utf8')) as {
  entries: { title: string }[]
}
const titles = [...new Set(entries.map(({ title }) => title))]

/** Codes of forms, which are the same in each language. */
const codes = /^[A-Z]+-[0-9A-Z]+(, [A-Z]+-[0-9A-Z]+)?$|\(QRMP\)$/

test('each shipped due date has a name in the catalogue or is the code of a form', () => {
  expect(titles.filter((title) => !codes.test(title)).toSorted()).toEqual(
    Object.values(messages.dueNames).toSorted(),
  )
  for (const title of titles) expect(dueName(title)).toBe(title)
})

test('a due date that the office has written keeps its name', () => {
  expect(dueName('constructor')).toBe('constructor')
  expect(dueName('Rent of the office')).toBe('Rent of the office')
})
