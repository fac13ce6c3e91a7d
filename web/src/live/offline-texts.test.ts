import { onlineManager, QueryObserver } from '@tanstack/react-query'
import { afterEach, expect, test } from 'vitest'
import { createQueryClient } from '@/app/query-client'
import { eventually } from '@/test/eventually'
import { loadTexts, textsQuery } from './offline-texts'

afterEach(() => onlineManager.setOnline(true))

test('a desk without network loads its own texts', async () => {
  onlineManager.setOnline(false)
  const texts = new QueryObserver(createQueryClient({} as never), textsQuery)
  const stop = texts.subscribe(() => undefined)
  await loadTexts()
  await eventually(() => expect(texts.getCurrentResult().data?.pair.code).toBe('Pairing code'))
  stop()
})
