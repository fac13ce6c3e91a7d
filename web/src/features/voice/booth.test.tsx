import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { Booth } from './booth'

vi.mock('./recorder', () => ({
  Microphone: {
    open: () =>
      Promise.resolve({
        record: () => Promise.resolve(new ArrayBuffer(8)),
        stop: () => undefined,
        close: () => undefined,
      }),
  },
  play: () => Promise.resolve(),
}))
vi.mock('./encode', () => ({
  decoded: () => Promise.resolve(new Float32Array(8)),
  encoded: () => Promise.resolve(new Uint8Array(8)),
}))
vi.mock('./sound', () => ({ cleaned: (samples: Float32Array) => samples }))

test('a word that the browser could not keep is said again', async () => {
  const onTake = vi.fn<(clip: string, file: ArrayBuffer) => Promise<void>>()
  onTake.mockRejectedValueOnce(new DOMException('No space is left', 'QuotaExceededError'))
  const person = userEvent.setup({ delay: null })
  render(
    <Booth
      words={[{ clip: '1', text: 'one' }]}
      language="en"
      takes={{ speaker: 'Asha', clips: {} }}
      saving={false}
      onTake={onTake}
      onSave={() => undefined}
    />,
  )
  await person.keyboard(' ')
  expect(await screen.findByText('The recording has failed. Please say the word again.')).toBeInTheDocument()
  await person.keyboard(' ')
  expect(await screen.findByText('Press Space and say the word')).toBeInTheDocument()
  expect(onTake).toHaveBeenCalledTimes(2)
})
