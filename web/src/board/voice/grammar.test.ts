import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { announce, spoken } from './grammar'
import type { Manifest } from './manifest'

const manifestOf = (language: string) =>
  JSON.parse(readFileSync(`public/voice/${language}.json`, 'utf8')) as Manifest & { language: string }

const call = (token: string, counter: string | null = '3') => ({ token, counter })
const tokenOf = (number: number) => `T-${String(number).padStart(3, '0')}`

test('there is a pack for each of the six languages', () => {
  expect(spoken).toEqual(['en', 'hi', 'kn', 'ta', 'te', 'mr'])
})

test.each(spoken)('every token from 1 to 999 is composed of clips of the pack of %s', (language) => {
  const { clips } = manifestOf(language)
  const missing = new Set<string>()
  const wrong: number[] = []
  for (let number = 1; number <= 999; number += 1) {
    for (const digits of [true, false]) {
      const parts = announce(language, call(tokenOf(number), String((number % 99) + 1)), digits)
      const names = parts.filter((part) => typeof part === 'string')
      names.filter((name) => clips[name] === undefined).forEach((name) => missing.add(name))
      // The number as a whole is said before its digits.
      const [first, second] = names.slice(1)
      const said = first?.startsWith('h')
        ? Number(first.slice(1)) * 100 + (number % 100 === 0 ? 0 : Number(second))
        : Number(first)
      if (said !== number || names[0] !== 'token' || !names.includes('counter')) wrong.push(number)
    }
  }
  for (const letter of 'ABCDEFGH') {
    announce(language, call(`${letter}-007`, letter))
      .filter((part) => typeof part === 'string')
      .filter((name) => clips[name] === undefined)
      .forEach((name) => missing.add(name))
  }
  expect(wrong).toEqual([])
  expect([...missing]).toEqual([])
})

test('digits are said again where numbers are confused, and above 999 they alone are said', () => {
  expect(announce('en', call('T-014'))).toEqual(['token', '14', 0.35, 'counter', '3'])
  expect(announce('hi', call('T-014'))).toEqual(['token', '14', 0.35, '1', '4', 0.35, 'counter', '3'])
  expect(announce('en', call('T-342'))).toEqual([
    'token',
    'h3',
    '42',
    0.35,
    '3',
    '4',
    '2',
    0.35,
    'counter',
    '3',
  ])
  expect(announce('en', call('T-342'), false)).toEqual(['token', 'h3', '42', 0.35, 'counter', '3'])
  expect(announce('kn', call('T-1042'))).toEqual(['token', '1', '0', '4', '2', 0.35, 'counter', '3'])
})

test('a desk letter is said before its number, and a counter only if it can be said', () => {
  expect(announce('ta', call('A-007', 'B'))).toEqual(['token', 'LA', '7', 0.35, '7', 0.35, 'counter', 'LB'])
  for (const counter of [null, '', '0', '100', 'Room 2', 'first floor', 'K']) {
    expect(announce('en', call('T-005', counter))).toEqual(['token', '5'])
  }
  expect(announce('en', call('ABC', '1'))).toEqual([])
})
