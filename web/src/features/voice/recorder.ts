import { inBackground } from '@/in-background'
/** A word ends after this much silence, or at the latest after `longestMs`. */
const pauseMs = 600
const longestMs = 4_000
const lookEveryMs = 50
/** Speech is more than this many times as loud as the quietest moment of the recording so far. */
const louder = 3
const quietRoom = 0.005

/** The microphone of the studio: one recording after the other. */
export class Microphone {
  readonly #stream: MediaStream
  readonly #context = new AudioContext()
  readonly #analyser: AnalyserNode
  #stop: (() => void) | null = null

  private constructor(stream: MediaStream) {
    this.#stream = stream
    this.#analyser = this.#context.createAnalyser()
    this.#context.createMediaStreamSource(stream).connect(this.#analyser)
  }

  /** Asks for the microphone. Rejects if the person or the browser denies it. */
  static async open(): Promise<Microphone> {
    const audio = {
      channelCount: 1,
      echoCancellation: false,
      noiseSuppression: false,
      autoGainControl: false,
    }
    return new Microphone(await navigator.mediaDevices.getUserMedia({ audio }))
  }

  /** Records one word; resolves when it has ended, or when `stop` was called. */
  async record(): Promise<ArrayBuffer> {
    const recorder = new MediaRecorder(this.#stream)
    const parts: Blob[] = []
    recorder.addEventListener('dataavailable', ({ data }) => parts.push(data))
    const ended = new Promise((resolve) => recorder.addEventListener('stop', resolve, { once: true }))
    recorder.start()
    this.#stop = () => recorder.state === 'recording' && recorder.stop()
    const watch = this.#watch(this.#stop)
    await ended
    clearInterval(watch)
    this.#stop = null
    return new Blob(parts, { type: recorder.mimeType }).arrayBuffer()
  }

  stop() {
    this.#stop?.()
  }

  close() {
    this.stop()
    this.#stream.getTracks().forEach((track) => track.stop())
    inBackground(this.#context.close())
  }

  /** Calls `stop` when the word has ended, or after `longestMs`. */
  #watch(stop: () => void) {
    const samples = new Float32Array(this.#analyser.fftSize)
    const began = performance.now()
    let room = Infinity
    let heardAt = 0
    return setInterval(() => {
      this.#analyser.getFloatTimeDomainData(samples)
      const loudness = Math.sqrt(samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length)
      const now = performance.now()
      room = Math.max(quietRoom, Math.min(room, loudness))
      if (loudness > room * louder) heardAt = now
      if ((heardAt > 0 && now - heardAt > pauseMs) || now - began > longestMs) stop()
    }, lookEveryMs)
  }
}

/** Plays a clip; resolves when it has ended. */
export async function play(file: ArrayBuffer): Promise<void> {
  const context = new AudioContext()
  try {
    const source = context.createBufferSource()
    source.buffer = await context.decodeAudioData(file.slice(0))
    source.connect(context.destination)
    const ended = new Promise((resolve) => source.addEventListener('ended', resolve, { once: true }))
    source.start()
    await ended
  } finally {
    await context.close()
  }
}
