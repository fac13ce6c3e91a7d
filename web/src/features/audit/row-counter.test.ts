import { expect, test } from 'vitest'
import { rowCounter } from './row-counter'

const file = '\uFEFF"Date","Notes"\r\n"2026-11-20","two\r\nlines, ""quoted"""\r\n"2026-11-21","मीना"\r\n'

test('rows are counted at any chunk boundary, without the header and line feeds inside notes', () => {
  const bytes = new TextEncoder().encode(file)
  for (const size of [1, 7, bytes.length]) {
    const counter = rowCounter()
    const counts = Array.from({ length: Math.ceil(bytes.length / size) }, (_, piece) =>
      counter.add(bytes.subarray(piece * size, (piece + 1) * size)),
    )
    expect(counts.at(-1)).toBe(2)
    expect(counts).toEqual(counts.toSorted())
  }
})

test('a file without visits has no rows', () => {
  expect(rowCounter().rows()).toBe(0)
  expect(rowCounter().add(new TextEncoder().encode('"Date"\r\n'))).toBe(0)
})
