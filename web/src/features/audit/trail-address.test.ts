import { expect, test } from 'vitest'
import { requestOf, searchOf } from './trail-address'

const here = new URLSearchParams('tab=audit')

test('the filters survive a round trip through the address', () => {
  const request = {
    start: '2026-11-01',
    end: '2026-11-20',
    entity: 'visit',
    entityId: 'v1',
    page: 2,
  } as const
  const address = searchOf(here, request)
  expect(address.toString()).toBe('tab=audit&from=2026-11-01&to=2026-11-20&entity=visit&id=v1&page=2')
  expect(requestOf(address)).toEqual(request)
})

test('an address without a page requests nothing', () => {
  expect(requestOf(here)).toBeNull()
  expect(requestOf(new URLSearchParams('tab=audit&entity=visit'))).toBeNull()
  expect(requestOf(searchOf(here, { page: 1 }))).toEqual({ page: 1 })
})

test('the text is in the state of the address, not in the address', () => {
  const address = searchOf(here, { q: 'Asha', page: 1 })
  expect(address.toString()).toBe('tab=audit&page=1')
  expect(requestOf(address, { q: 'Asha' })).toEqual({ q: 'Asha', page: 1 })
})

test('invalid filters are ignored', () => {
  expect(requestOf(new URLSearchParams('page=1&from=yesterday&entity=secrets'))).toEqual({ page: 1 })
  expect(requestOf(new URLSearchParams('page=-1'))).toBeNull()
})
