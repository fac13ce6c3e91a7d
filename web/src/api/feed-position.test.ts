import { beforeEach, expect, test } from 'vitest'
import { answered, answersAreBehind, feedMin, forgetFeed, reached } from './feed-position'

beforeEach(forgetFeed)

test('only the newest position in the feed of visits is required', () => {
  reached('auth=a:4;directory=d:2;realtime=r:9;visits=e:41')
  reached('auth=a:5;directory=d:2;realtime=r:9;visits=e:42')
  expect(feedMin()).toBe('visits=e:42')
})

test('a response older than the opening of the stream is behind', () => {
  answered('visits=e:41')
  answered('visits=e:43')
  expect(answersAreBehind('realtime=r:1;visits=e:42')).toBe(true)
  expect(answersAreBehind('realtime=r:1;visits=e:41')).toBe(false)
})

test('positions of different epochs count as behind', () => {
  answered('visits=old:500')
  expect(answersAreBehind('visits=new:2')).toBe(true)
})

test('before any response nothing is behind', () => {
  expect(answersAreBehind('visits=e:42')).toBe(false)
})
