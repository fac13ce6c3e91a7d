import { expect, test } from 'vitest'

import { addressOf, lineOf, median, missed, pages, parse, type Run } from './lighthouse-result.ts'

const runsOf = (...points: number[]): Run[] =>
  points.map((performance, index) => ({
    figures: { performance, accessibility: 100, 'best-practices': 100, seo: 100, LCP: 1000 + index },
    faults: [],
  }))

const resultOf = (place: number, points: number[]) => {
  const runs = runsOf(...points)
  return { page: pages[place]?.path ?? '', goal: pages[place]?.goal ?? {}, runs, median: median(runs) }
}

test('one slow run does not fail a page', () => {
  const landing = resultOf(0, [60, 98, 99, 98, 100])
  expect(missed(landing)).toEqual([])
  expect(landing.median.LCP).toBe(1002)
})

test('a page below its goal fails and is named', () => {
  const points = [100, 97, 97, 97, 99]
  expect(missed(resultOf(0, points))).toEqual(['performance'])
  expect(lineOf(resultOf(0, points))).toMatch(/^\/ {2}performance 97 of 98.*below in performance$/)
  expect(lineOf(resultOf(1, points))).toMatch(/^\/login .*reached$/)
})

const answerWith = (seo: number | null) =>
  JSON.stringify({
    categories: {
      performance: {
        score: 0.965,
        auditRefs: [
          { id: 'largest-contentful-paint', weight: 25 },
          { id: 'a-hint', weight: 0 },
        ],
      },
      accessibility: { score: 1, auditRefs: [] },
      'best-practices': { score: 1, auditRefs: [] },
      seo: { score: seo, auditRefs: [{ id: 'is-crawlable', weight: 4 }] },
    },
    audits: {
      'largest-contentful-paint': { score: 0.9, numericValue: 2300 },
      'a-hint': { score: 0 },
      'is-crawlable': { score: 0 },
    },
  })

test('an answer is read with its faults', () => {
  const { figures, faults } = parse(answerWith(0.63))
  expect(figures).toMatchObject({ performance: 97, seo: 63, LCP: 2300 })
  expect(faults).toEqual(['largest-contentful-paint', 'is-crawlable'])
})

test('an answer that judges nothing is an error', () => {
  expect(() => parse(answerWith(null))).toThrow('seo')
  expect(() => parse('{"runtimeError":{"code":"NO_FCP","message":"nothing was painted"}}')).toThrow('painted')
  expect(() => parse('Killed')).toThrow()
})

test('a page is measured in a language', () => {
  expect(addressOf('/login', 'hi')).toBe('/login?lang=hi')
})
