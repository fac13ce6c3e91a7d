import { beforeAll, expect, test } from 'vitest'
import { loadSounds } from '@/find-word'
import { searchByWord } from './select-search'

beforeAll(loadSounds)

test.each([
  ['rao', { label: 'CA Kavita Rao' }, true],
  ['Kavita Rao', { label: 'CA Kavita Rao' }, true],
  ['kavita', { label: 'कविता राव' }, true],
  ['कविता', { label: 'CA Kavita Rao' }, true],
  ['gst', { label: 'जीएसटी पंजीकरण', search: 'जीएसटी पंजीकरण GST Registration' }, true],
  ['imran', { label: 'CA Kavita Rao' }, false],
  ['o', { label: 5 }, false],
])('%s among %j: %s', (typed, option, found) => {
  expect(searchByWord.filterOption(typed, option)).toBe(found)
})
