import { beforeEach, expect, test } from 'vitest'
import {
  recordResponsePosition,
  responsesPredate,
  feedMin,
  resetPositions,
  recordEventPosition,
} from './feed-position'

beforeEach(resetPositions)

test('only the newest position in the feed of visits is required', () => {
  recordEventPosition('auth=a:4;directory=d:2;realtime=r:9;visits=e:41')
  recordEventPosition('auth=a:5;directory=d:2;realtime=r:9;visits=e:42')
  expect(feedMin()).toBe('visits=e:42')
})

test('a response older than the opening of the stream is behind', () => {
  recordResponsePosition('visits=e:41')
  recordResponsePosition('visits=e:43')
  expect(responsesPredate('realtime=r:1;visits=e:42')).toBe(true)
  expect(responsesPredate('realtime=r:1;visits=e:41')).toBe(false)
})

test('positions of different epochs count as behind', () => {
  recordResponsePosition('visits=old:500')
  expect(responsesPredate('visits=new:2')).toBe(true)
})

test('before any response nothing is behind', () => {
  expect(responsesPredate('visits=e:42')).toBe(false)
})
