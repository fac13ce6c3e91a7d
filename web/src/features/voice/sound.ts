/** Samples of a recording, mono, from -1 to 1. */
export type Samples = Float32Array<ArrayBuffer>

export const sampleRate = 48_000

/** The RMS level of a clip: 20 dB below full scale, as in the shipped packs. `loudest` can make it lower. */
const level = 0.1
const loudest = 0.95
/** Samples below this share of the loudest sample are silence. It allows for the noise of a room. */
const silence = 0.06
const padding = 0.03 * sampleRate
const fade = 0.005 * sampleRate
const frame = 0.01 * sampleRate
/** A recording contains no word if its loudest sample is below this level. */
const quietest = 0.02
/** If more samples than this are at full scale, the microphone was too loud. */
const clippedAt = 8
const full = 0.99

export type Fault = 'quiet' | 'loud'

/** The word of a recording, without the silence around it and at the level of all clips. */
export function cleaned(recorded: Samples): Samples | Fault {
  const most = recorded.reduce((peak, sample) => Math.max(peak, Math.abs(sample)), 0)
  if (most < quietest) return 'quiet'
  if (recorded.filter((sample) => Math.abs(sample) > full).length > clippedAt) return 'loud'
  const [first, last] = wordIn(recorded, most)
  const word = recorded.slice(Math.max(0, first - padding), last + 2 * padding)
  const factor = Math.min(level / loudnessOf(recorded.subarray(first, last + 1), most), loudest / most)
  return word.map((sample, index) => sample * factor * fadeAt(index, word.length))
}

/** The indices of the first and the last sample of the word. */
function wordIn(samples: Samples, most: number): [number, number] {
  const isLoud = (sample: number) => Math.abs(sample) > silence * most
  return [samples.findIndex(isLoud), samples.findLastIndex(isLoud)]
}

/** RMS of the frames that are not pauses. */
function loudnessOf(samples: Samples, most: number): number {
  let [sum, count] = [0, 0]
  for (let at = 0; at < samples.length; at += frame) {
    const part = samples.subarray(at, at + frame)
    if (part.every((sample) => Math.abs(sample) <= silence * most)) continue
    sum += part.reduce((total, sample) => total + sample * sample, 0)
    count += part.length
  }
  return Math.sqrt(sum / count)
}

/** Without a fade, the edges of a clip would click. */
const fadeAt = (index: number, length: number) => Math.min(1, index / fade, (length - 1 - index) / fade)
