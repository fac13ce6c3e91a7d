import { expect, test } from 'vitest'
import { withReasonIn } from './reasons'

const reason = { title: 'Your turn', text: 'Every walk-in gets a token.' }

test('a reason gets a text in another language, and a language without texts is left out', () => {
  const titled = withReasonIn(reason, 'hi', 'title', 'आपकी बारी')
  expect(titled).toEqual({ ...reason, texts: { hi: { title: 'आपकी बारी', text: '' } } })
  const whole = withReasonIn(titled, 'hi', 'text', 'हर आगंतुक को टोकन मिलता है।')
  expect(whole.texts?.hi).toEqual({ title: 'आपकी बारी', text: 'हर आगंतुक को टोकन मिलता है।' })
  expect(withReasonIn(titled, 'hi', 'title', '')).toEqual(reason)
})
