import type { Page } from '@playwright/test'
import { call, stub } from './board-stubs'
import { onlyAtNight } from './extent'
import { expect, test } from './test'

onlyAtNight()

/** Fifty calls take three and a half minutes in real time. BAARI_NIGHT=1 BOARD_SOUND_CALLS=50 records all fifty. */
const calls = Number(process.env.BOARD_SOUND_CALLS ?? 8)

test.use({
  launchOptions: {
    executablePath: process.env.BAARI_CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--autoplay-policy=no-user-gesture-required'],
  },
})

type Announced = { token: string; from: number; until: number }
type Recording = { announced: Announced[]; recorded: Blob[]; recorder: MediaRecorder | null; began: number }

/** Records the sound that the page sends to the loudspeaker. */
function tap() {
  const recording: Recording = { announced: [], recorded: [], recorder: null, began: 0 }
  Object.assign(globalThis, { recording })
  const { connect } = Object.getOwnPropertyDescriptors(AudioNode.prototype)
  AudioNode.prototype.connect = function (this: AudioNode, target: AudioNode) {
    const { context } = this
    if (target === context.destination && context instanceof AudioContext && !recording.recorder) {
      const copy = context.createMediaStreamDestination()
      recording.recorder = new MediaRecorder(copy.stream, { audioBitsPerSecond: 128_000 })
      recording.recorder.addEventListener('dataavailable', ({ data }) => recording.recorded.push(data))
      recording.recorder.addEventListener('start', () => (recording.began = context.currentTime))
      recording.recorder.start()
      ;(connect.value as (node: AudioNode) => void).call(this, copy)
    }
    return (connect.value as (node: AudioNode) => AudioNode).call(this, target)
  } as typeof AudioNode.prototype.connect
  document.addEventListener('board:announced', (event) =>
    recording.announced.push((event as CustomEvent<Announced>).detail),
  )
}

/** In seconds: the time from the beginning of the chime to the first word, and the silence before the chime. */
const chime = 0.85
const gap = 0.4

/**
 * Compares the clips of all numbers with the recording at each announcement. Returns for each announcement the number
 * that fits best, how well it fits, and how loud the silence before the announcement is.
 */
const listen = (page: Page) =>
  page.evaluate(
    async ({ chime, gap }) => {
      const rate = 8_000
      const { recording } = globalThis as unknown as { recording: Recording }
      const stopped = new Promise((resolve) => recording.recorder?.addEventListener('stop', resolve))
      recording.recorder?.stop()
      await stopped
      const decode = async (file: ArrayBuffer) =>
        (await new OfflineAudioContext(1, 1, rate).decodeAudioData(file)).getChannelData(0)
      const heard = await decode(await new Blob(recording.recorded).arrayBuffer())
      const manifest = (await (await fetch('/voice/en.json')).json()) as {
        digest: string
        clips: Record<string, [number, number]>
      }
      const pack = await (await fetch(`/voice/en.pack?${manifest.digest}`)).arrayBuffer()
      const clip = async (name: string) => {
        const [from, length] = manifest.clips[name] ?? [0, 0]
        return decode(pack.slice(from, from + length))
      }
      const word = await clip('token')
      const numbers = await Promise.all(recording.announced.map((_, index) => clip(`${index + 1}`)))
      const fit = (clip: Float32Array, at: number) => {
        let [product, ours, theirs] = [0, 0, 0]
        for (let index = 0; index < clip.length; index += 1) {
          const [a, b] = [clip[index] ?? 0, heard[at + index] ?? 0]
          product += a * b
          ours += a * a
          theirs += b * b
        }
        return product / Math.sqrt(ours * theirs || 1)
      }
      const best = (clip: Float32Array, around: number, spread: number) => {
        let [most, place] = [-1, around]
        for (let at = around - spread; at <= around + spread; at += 1) {
          const value = fit(clip, at)
          if (value > most) [most, place] = [value, at]
        }
        return { most, place }
      }
      const placeOf = ({ from }: Announced) =>
        Math.round((from - recording.began + chime) * rate) + word.length
      const [first] = recording.announced
      const begin = first ? placeOf(first) : 0
      // The recorder starts shortly before or after the time that it reports. The first number shows the difference.
      const shift = best(numbers[0] ?? new Float32Array(), begin, rate / 2).place - begin
      return recording.announced.map((one) => {
        const at = placeOf(one) + shift
        const fits = numbers.map((number) => best(number, at, 240).most)
        const most = Math.max(...fits)
        const begins = at - word.length - Math.round(chime * rate)
        const silence = heard.subarray(Math.max(0, begins - Math.round(gap * 0.8 * rate)), begins - 240)
        return {
          token: one.token,
          number: fits.indexOf(most) + 1,
          fit: most,
          gap: Math.sqrt(silence.reduce((sum, sample) => sum + sample * sample, 0) / silence.length),
        }
      })
    },
    { chime, gap },
  )

test('in the recorded sound of the page, calls that come at once are announced in order, without an overlap', async ({
  page,
}) => {
  test.setTimeout(calls * 8_000 + 60_000)
  await page.addInitScript(tap)
  const office = await stub(page, { volume: 80 })
  await page.goto('/board')
  await expect.poll(() => office.reports.at(-1)?.voice).toBe('on')
  const began = Date.now()
  for (let number = 1; number <= calls; number += 1) {
    office.news.push(call(number, String((number % 9) + 1)))
    await page.waitForTimeout(Math.max(0, began + number * 100 - Date.now()))
  }
  const count = () =>
    page.evaluate(() => (globalThis as unknown as { recording: Recording }).recording.announced.length)
  await expect.poll(count, { timeout: calls * 7_000 + 20_000, intervals: [1_000] }).toBe(calls)
  const heard = await listen(page)
  const worst = Math.min(...heard.map(({ fit }) => fit))
  const loudest = Math.max(...heard.map(({ gap: level }) => level))
  console.log(
    `${heard.length} announcements, worst fit ${worst.toFixed(2)}, loudest gap ${loudest.toFixed(4)}`,
  )
  expect(heard.map(({ token }) => token)).toEqual(
    Array.from({ length: calls }, (_, index) => call(index + 1, null).token),
  )
  // Each sound is the number of its token, and no other sound is heard at the same time.
  expect(heard.map(({ number }) => number)).toEqual(Array.from({ length: calls }, (_, index) => index + 1))
  expect(worst).toBeGreaterThan(0.7)
  expect(loudest).toBeLessThan(0.005)
})
