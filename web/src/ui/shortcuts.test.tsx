import { fireEvent, render } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { useShortcuts } from './shortcuts'

function Screen({ act }: { act: () => void }) {
  useShortcuts({ F2: act })
  return null
}

test('a held key acts once, and the browser gets none of its repeats', () => {
  const act = vi.fn()
  render(<Screen act={act} />)
  const isLeft = [false, true, true].map((repeat) => fireEvent.keyDown(document.body, { key: 'F2', repeat }))
  expect(act).toHaveBeenCalledTimes(1)
  expect(isLeft).toEqual([false, false, false])
  fireEvent.keyUp(document.body, { key: 'F2' })
  fireEvent.keyDown(document.body, { key: 'F2' })
  expect(act).toHaveBeenCalledTimes(2)
})
