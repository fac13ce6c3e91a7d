import { act, renderHook } from '@testing-library/react'
import { expect, test } from 'vitest'
import { sessionStore } from '@/api/session-store'
import { forgetDrafts, useDraft, useDrafts, useFormDraft } from './drafts'
import { userOf } from './test/fixtures'

const arrive = (id: string) => sessionStore.save('token', { ...userOf('pa'), id })

test('a draft is restored for the same user after their session has ended', () => {
  arrive('meera')
  renderHook(() => useDraft('notes')).result.current.keep('Ask for the challan')
  sessionStore.clear()
  expect(renderHook(() => useDraft('notes')).result.current.text()).toBe('')
  arrive('meera')
  expect(renderHook(() => useDraft('notes')).result.current.text()).toBe('Ask for the challan')
})

test('a failure that arrives after the session has ended keeps the draft', () => {
  arrive('meera')
  const { result } = renderHook(() => useDraft('notes'))
  sessionStore.clear()
  result.current.keep('Ask for the challan')
  arrive('meera')
  expect(result.current.text()).toBe('Ask for the challan')
})

test('drafts are hidden from other users, and new input replaces a draft', () => {
  arrive('meera')
  renderHook(() => useDraft('notes')).result.current.keep('Ask for the challan')
  arrive('thomas')
  const { result } = renderHook(() => useDraft('notes'))
  expect(result.current.text()).toBe('')
  result.current.keep('Call back')
  arrive('meera')
  expect(renderHook(() => useDraft('notes')).result.current.text()).toBe('')
})

test('a list of drafts is updated when one is typed, sent or deleted', () => {
  arrive('meera')
  const list = renderHook(() => useDrafts('decided/'))
  const one = renderHook(() => useDraft('decided/1')).result.current
  act(() => one.keep('Ask for the challan'))
  const other = renderHook(() => useDraft('ended/2')).result.current
  act(() => other.keep('Done'))
  expect(list.result.current.map(({ text }) => text)).toEqual(['Ask for the challan'])
  act(() => one.keep(''))
  expect(list.result.current).toEqual([])
  act(() => one.keep('Again'))
  act(() => forgetDrafts())
  expect(list.result.current).toEqual([])
})

test('the draft of a form has all of its values, and an empty form has no draft', () => {
  arrive('meera')
  const form = () =>
    renderHook(() => useFormDraft<{ name: string; minutes: number }>('service/new')).result.current
  expect(form().values()).toEqual({})
  form().keep({}, { name: 'Notices', minutes: 30 })
  expect(form().values()).toEqual({ name: 'Notices', minutes: 30 })
  form().keep({}, { name: '', minutes: 0 })
  expect(sessionStorage.getItem('baari.drafts')).not.toContain('service/new')
})

test('a stored value that is not a draft is ignored', () => {
  arrive('meera')
  sessionStorage.setItem('baari.drafts', '{')
  expect(renderHook(() => useDraft('notes')).result.current.text()).toBe('')
})
