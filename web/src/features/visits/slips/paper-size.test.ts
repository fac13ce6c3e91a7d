import { expect, test } from 'vitest'
import { pageFor } from './paper-size'

const sheet = { letters: 10, lines: [3, 5] }

test('a page is chosen by the lines of the texts, whose words are not split', () => {
  expect(pageFor(['one two', 'three', 'four'], sheet)).toBe(1)
  // If words were split, the letters would fit in three lines. With one word on each line, there are four.
  expect(pageFor(['abcdef ghijkl mnopqr stuvwx'], sheet)).toBe(2)
  expect(pageFor(['abcdef ghijkl mnopqr stuvwx yzabcd efghij'], sheet)).toBe(3)
})

test('a word longer than a line is split, and begins on a line of its own', () => {
  expect(pageFor(['abcdefghijklmnopqrstuvwxyz'], sheet)).toBe(1)
  expect(pageFor(['at abcdefghijklmnopqrstuvwxyz'], sheet)).toBe(2)
  expect(pageFor(['abcdefghijklmnopqrstuvwxyz abcde'], sheet)).toBe(2)
})

test('a text without words has a line, and a text exactly of a line one', () => {
  expect(pageFor(['', '', 'abcdefghij'], sheet)).toBe(1)
  expect(pageFor(['', '', '', 'a'], sheet)).toBe(2)
})
