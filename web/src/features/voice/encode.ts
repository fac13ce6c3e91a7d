import { oggOf } from './ogg'
import { sampleRate, type Samples } from './sound'

const frame = 960
const config: AudioEncoderConfig = { codec: 'opus', sampleRate, numberOfChannels: 1, bitrate: 24_000 }
/** The samples that an Opus decoder skips at the start if the encoder states no number: 6.5 ms. */
const usualSkip = 312
const headLength = 19
/** The largest number of frames, of 20 ms each, that a decoder skips. */
const mostSkipped = 4

/** Whether this browser can record: it needs a microphone, https, and an Opus encoder. */
export async function canRecord(): Promise<boolean> {
  if (!('AudioEncoder' in globalThis) || !('MediaRecorder' in globalThis)) return false
  if (!('mediaDevices' in navigator)) return false
  return (await AudioEncoder.isConfigSupported(config)).supported === true
}

function usualHead(): Uint8Array {
  const head = new Uint8Array(headLength)
  head.set(new TextEncoder().encode('OpusHead'))
  const view = new DataView(head.buffer)
  head[8] = 1
  head[9] = 1
  view.setUint16(10, usualSkip, true)
  view.setUint32(12, sampleRate, true)
  return head
}

function bytesOf(source: AllowSharedBufferSource): Uint8Array {
  return ArrayBuffer.isView(source)
    ? new Uint8Array(source.buffer, source.byteOffset, source.byteLength).slice()
    : new Uint8Array(source).slice()
}

/** Encodes a clip as an Ogg file with Opus. */
export async function encoded(samples: Samples): Promise<Uint8Array<ArrayBuffer>> {
  const packets: Uint8Array[] = []
  let head = usualHead()
  const failure = Promise.withResolvers<never>()
  const encoder = new AudioEncoder({
    output: (chunk, metadata) => {
      const packet = new Uint8Array(chunk.byteLength)
      chunk.copyTo(packet)
      packets.push(packet)
      const description = metadata?.decoderConfig?.description
      if (description && bytesOf(description).length >= headLength) head = bytesOf(description)
    },
    error: failure.reject,
  })
  encoder.configure(config)
  // The samples are padded with silence to whole frames, plus the frames that a decoder may skip.
  const padded = new Float32Array((Math.ceil(samples.length / frame) + mostSkipped) * frame)
  padded.set(samples)
  const { length: numberOfFrames } = padded
  const data = new AudioData({
    ...{ format: 'f32-planar', sampleRate, numberOfChannels: 1 },
    ...{ numberOfFrames, timestamp: 0, data: padded },
  })
  encoder.encode(data)
  data.close()
  await Promise.race([encoder.flush(), failure.promise])
  encoder.close()
  return oggOf({ head, packets, frame, samples: samples.length + skipOf(head) })
}

const skipOf = (head: Uint8Array) =>
  new DataView(head.buffer, head.byteOffset, head.byteLength).getUint16(10, true)

/** Decodes a recording or a clip to mono. */
export async function decoded(file: ArrayBuffer): Promise<Samples> {
  const buffer = await new OfflineAudioContext(1, 1, sampleRate).decodeAudioData(file)
  const channels = Array.from({ length: buffer.numberOfChannels }, (_, index) => buffer.getChannelData(index))
  return channels.length === 1
    ? (channels[0] ?? new Float32Array())
    : Float32Array.from({ length: buffer.length }, (_, at) =>
        channels.reduce((sum, channel) => sum + (channel[at] ?? 0) / channels.length, 0),
      )
}
