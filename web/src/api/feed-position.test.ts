import { beforeEach, expect, test } from 'vitest'
import { answered, answersAreBehind, feedMin, forgetFeed, reached } from './feed-position'

beforeEach(forgetFeed)

test('only the place in the feed of visits is asked for, and the newest one', () => {
  reached('auth=a:4;directory=d:2;realtime=r:9;visits=e:41')
  reached('auth=a:5;directory=d:2;realtime=r:9;visits=e:42')
  expect(feedMin()).toBe('visits=e:42')
})

test('an answer older than the opening of the stream may have missed a change', () => {
  answered('visits=e:41')
  answered('visits=e:43')
  expect(answersAreBehind('realtime=r:1;visits=e:42')).toBe(true)
  expect(answersAreBehind('realtime=r:1;visits=e:41')).toBe(false)
})

test('places of two epochs cannot be compared and count as missed', () => {
  answered('visits=old:500')
  expect(answersAreBehind('visits=new:2')).toBe(true)
})

test('before any answer nothing was missed', () => {
  expect(answersAreBehind('visits=e:42')).toBe(false)
})
