import { afterEach, expect, test, vi } from 'vitest'
import hindi from '@/locales/hi/account.json'
import { messages } from '@/messages'

afterEach(() => {
  vi.unstubAllGlobals()
  vi.resetModules()
})

const inHindi = () => {
  vi.stubGlobal('translation', { language: 'hi', messages })
  vi.resetModules()
  return import('@/staff-texts')
}

test('the texts of the dashboards are loaded in the language of the page', async () => {
  const { loadStaffTexts } = await inHindi()
  await loadStaffTexts()
  const { messages: all } = await import('@/staff-messages')
  expect(all.settings).toEqual(hindi.settings)
  expect(all.problems).toBe(messages.problems)
})

test('a module of the dashboards is not evaluated before their texts are loaded', async () => {
  await inHindi()
  await expect(import('@/staff-messages')).rejects.toThrow('before their texts')
})

test('a page in English loads no texts of another language', async () => {
  vi.resetModules()
  const { loadStaffTexts } = await import('@/staff-texts')
  await loadStaffTexts()
  expect(globalThis.translation).toBeUndefined()
})
