import { expect, test } from 'vitest'
import { cleaned, sampleRate, type Samples } from './sound'

const second = sampleRate

/** A tone of `length` seconds between two pauses with the noise of a room. */
function recording(volume: number, length = 0.5): Samples {
  const samples = new Float32Array(2 * second)
  samples.forEach((_, index) => {
    samples[index] = 0.004 * volume * Math.sin(index)
    const at = index - 0.7 * second
    if (at >= 0 && at < length * second) samples[index] = volume * Math.sin(at / 20)
  })
  return samples
}

const rms = (samples: Samples) =>
  Math.sqrt(samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length)

test('the silence around a word is cut, and every word has one level', () => {
  for (const volume of [0.05, 0.3, 0.9]) {
    const word = cleaned(recording(volume))
    if (typeof word === 'string') throw new Error(word)
    expect(word.length / second).toBeGreaterThan(0.5)
    expect(word.length / second).toBeLessThan(0.62)
    // The quiet padding is part of the clip and lowers its level.
    expect(rms(word)).toBeGreaterThan(0.085)
    expect(rms(word)).toBeLessThan(0.105)
    expect(Math.abs(word[0] ?? 1) + Math.abs(word.at(-1) ?? 1)).toBe(0)
  }
})

test('a recording without a word, or one that the microphone could not take, is refused', () => {
  expect(cleaned(recording(0.01))).toBe('quiet')
  expect(cleaned(new Float32Array(second))).toBe('quiet')
  const loud = recording(1).map((sample) => Math.min(1, sample * 3))
  expect(cleaned(loud)).toBe('loud')
})

test('a click in a quiet recording does not make the word louder than full scale', () => {
  const samples = recording(0.05)
  samples[second] = 0.8
  const word = cleaned(samples)
  if (typeof word === 'string') throw new Error(word)
  expect(Math.max(...word)).toBeLessThanOrEqual(0.96)
})

test('a pause within a word does not make it louder', () => {
  const two = recording(0.3, 0.2)
  two.copyWithin(1.4 * second, 0.7 * second, 0.9 * second)
  const [word, both] = [cleaned(recording(0.3, 0.2)), cleaned(two)]
  if (typeof word === 'string' || typeof both === 'string') throw new Error('no word')
  expect(Math.max(...both)).toBeCloseTo(Math.max(...word), 2)
})
