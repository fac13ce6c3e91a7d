import { writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { expectAccessible } from './accessibility'
import { adminPlaces } from './admin-places'
import { flashes } from './answers'
import { deskOfRole } from './desk'
import { isNight } from './extent'
import { accountOf, arrive, asAdmin, baseURL, openSession } from './people'
import { expect, test } from './test'

const rate = 48_000
const pitch = 440

/** Writes the sound that the test's microphone repeats: half a second of a tone, then silence. */
function writeSpeech(): string {
  const samples = Int16Array.from({ length: 2 * rate }, (_, at) =>
    at < rate / 2 ? 9_000 * Math.sin((2 * Math.PI * pitch * at) / rate) : 0,
  )
  const header = Buffer.alloc(44)
  header.write('RIFF', 0)
  header.writeUInt32LE(36 + samples.byteLength, 4)
  header.write('WAVEfmt ', 8)
  header.writeUInt32LE(16, 16)
  header.writeUInt16LE(1, 20)
  header.writeUInt16LE(1, 22)
  header.writeUInt32LE(rate, 24)
  header.writeUInt32LE(2 * rate, 28)
  header.writeUInt16LE(2, 32)
  header.writeUInt16LE(16, 34)
  header.write('data', 36)
  header.writeUInt32LE(samples.byteLength, 40)
  const path = join(tmpdir(), 'baari-speech.wav')
  writeFileSync(path, Buffer.concat([header, Buffer.from(samples.buffer)]))
  return path
}

test.use({
  launchOptions: {
    executablePath: process.env.BAARI_CHROMIUM ?? '/usr/bin/chromium',
    args: [
      '--no-sandbox',
      '--autoplay-policy=no-user-gesture-required',
      '--use-fake-ui-for-media-stream',
      '--use-fake-device-for-media-stream',
      `--use-file-for-fake-audio-capture=${writeSpeech()}`,
    ],
  },
})

const studio = (page: Page) => page.getByRole('dialog', { name: 'Record मराठी' })

async function enter(page: Page, button: string) {
  await page.getByRole('button', { name: 'Record मराठी' }).click()
  await studio(page).getByLabel('Name of the speaker').fill('Asha Rao')
  await studio(page).getByRole('checkbox').check()
  await studio(page).getByRole('button', { name: button }).click()
  await expect(studio(page).getByText('Press Space and say the word')).toBeVisible()
}

/** Records the word on the screen by pressing Space, and moves on to the next word by pressing it again. */
async function recordNext(page: Page, recorded: number) {
  await page.keyboard.press('Space')
  await expect(studio(page).getByText('Recorded. Space goes on to the next word.')).toBeVisible()
  await expect(studio(page).getByText(`${recorded} of 120 words`)).toBeVisible()
  await page.keyboard.press('Space')
}

/** Copies the first clip to all words but the last, because recording all of them would take too long. */
const fillUp = (page: Page) =>
  page.evaluate(async () => {
    const done = <T>(request: IDBRequest<T>) =>
      new Promise<T>((resolve) => request.addEventListener('success', () => resolve(request.result)))
    const database = await done(indexedDB.open('baari-voice', 1))
    type Kept = { clips: Record<string, ArrayBuffer> }
    const takes = (await done(database.transaction('takes').objectStore('takes').get('mr'))) as Kept
    const clip = takes.clips['0'] ?? new ArrayBuffer()
    const names = [
      ...Array.from({ length: 100 }, (_, number) => `${number}`),
      ...Array.from({ length: 9 }, (_, index) => `h${index + 1}`),
      ...['LA', 'LB', 'LC', 'LD', 'LE', 'LF', 'LG', 'token', 'counter', 'room'],
    ]
    for (const name of names) takes.clips[name] ??= clip
    await done(database.transaction('takes', 'readwrite').objectStore('takes').put(takes, 'mr'))
    database.close()
  })

type Hearing = { pitchOf: (samples: Float32Array, rate: number) => number }

/**
 * Adds to the page a function that returns the pitch of a tone. It takes the median of the waves' lengths, because a
 * busy machine drops samples of the microphone.
 */
const addHearing = () => {
  const pitchOf: Hearing['pitchOf'] = (samples, rate) => {
    // A recording may begin within a tone. Its last tone is whole.
    const end = samples.findLastIndex((sample) => Math.abs(sample) > 0.1) - rate / 20
    const tone = samples.subarray(end - rate / 10, end)
    const rises = [...tone.keys()].filter((at) => (tone[at] ?? 0) >= 0 && (tone[at - 1] ?? 0) < 0)
    const waves = rises.slice(1).map((at, index) => at - (rises[index] ?? 0))
    return rate / (waves.toSorted((a, b) => a - b)[Math.floor(waves.length / 2)] ?? NaN)
  }
  Object.assign(window, { pitchOf })
}

/** The size, duration, loudness and pitch of a clip in the office's pack, which the browser decodes as on a board. */
const measured = async (page: Page, token: string, name: string) => {
  await page.evaluate(addHearing)
  return page.evaluate(
    async ({ token, name }) => {
      const answer = await fetch('/api/office/voice/mr', { headers: { Authorization: `Bearer ${token}` } })
      const { clips, bytes } = (await answer.json()) as {
        clips: Record<string, [number, number]>
        bytes: string
      }
      const all = Uint8Array.from(atob(bytes), (letter) => letter.charCodeAt(0))
      const [from, length] = clips[name] ?? [0, 0]
      const file = all.slice(from, from + length).buffer
      const buffer = await new OfflineAudioContext(1, 1, 48_000).decodeAudioData(file)
      const samples = buffer.getChannelData(0)
      const { pitchOf } = window as unknown as Hearing
      const loud = samples.filter((sample) => Math.abs(sample) > 0.01)
      return {
        bytes: length,
        seconds: buffer.duration,
        rms: Math.hypot(...loud) / Math.sqrt(loud.length),
        pitch: pitchOf(samples, 48_000),
      }
    },
    { token, name },
  )
}

type Added = { device: { id: string }; pairing_code: string }

test('an admin records a voice; it is continued after a pause, saved, spoken by a board, and deleted', async ({
  browser,
}) => {
  const { token } = await openSession(accountOf('admin'))
  await fetch(`${baseURL()}/api/office/voice/mr`, {
    method: 'DELETE',
    headers: { Authorization: `Bearer ${token}` },
  })
  const at = adminPlaces.waitingRoom
  const { page } = await arrive(browser, accountOf('admin'), { at, theme: 'system' })
  await expect(page.getByText('Shipped voice').first()).toBeVisible()

  await page.getByRole('button', { name: 'Record मराठी' }).click()
  await studio(page).getByRole('button', { name: 'Begin' }).click()
  await expect(studio(page).getByText('The speaker must agree')).toBeVisible()
  await expect(studio(page).getByText('Please enter the name of the speaker')).toBeVisible()
  await page.getByRole('button', { name: 'Close', exact: true }).click()

  await enter(page, 'Begin')
  const began = Date.now()
  for (let recorded = 1; recorded <= 3; recorded += 1) await recordNext(page, recorded)
  const perWord = (Date.now() - began) / 3
  test.info().annotations.push({ type: 'a word takes', description: `${Math.round(perWord)} ms` })
  if (isNight) expect(perWord).toBeLessThan(7_500)
  await expectAccessible(page, 'recording studio')
  await page.screenshot({ path: test.info().outputPath('studio.png') })

  // The recorded clips are kept when the page is loaded again, as after a crash.
  await page.reload()
  await fillUp(page)
  await enter(page, 'Go on (119 of 120)')
  await expect(studio(page).getByText('एच', { exact: true })).toBeVisible()
  await page.keyboard.press('Space')
  await expect(studio(page).getByText('120 of 120 words')).toBeVisible()
  await studio(page).getByRole('button', { name: 'Again' }).click()
  await expect(studio(page).getByText('Recorded. Space goes on to the next word.')).toBeVisible()
  const saved = flashes(page, 'Recording saved')
  await studio(page).getByRole('button', { name: 'Save the voice' }).click()
  await saved
  await expect(page.getByText('Recorded by Asha Rao')).toBeVisible()

  for (const name of ['1', 'LH']) {
    const clip = await measured(page, token, name)
    test.info().annotations.push({ type: `clip ${name}`, description: JSON.stringify(clip) })
    expect(clip.rms).toBeGreaterThan(0.08)
    expect(clip.rms).toBeLessThan(0.13)
    expect(clip.pitch).toBeGreaterThan(pitch - 25)
    expect(clip.pitch).toBeLessThan(pitch + 25)
    expect(clip.bytes).toBeLessThan(16_384)
  }
  await boardSpeaks(page)

  await page.getByRole('button', { name: 'Delete the recording of मराठी' }).click()
  const deleted = flashes(page, 'Recording deleted')
  await page.getByRole('button', { name: 'Delete', exact: true }).last().click()
  await deleted
  await expect(page.getByText('Recorded by Asha Rao')).toHaveCount(0)
})

/**
 * Asserts that a board announces a call in the recorded language with the recorded clips, not with those of the
 * product.
 */
async function boardSpeaks(page: Page) {
  const { device, pairing_code: code } = await asAdmin<Added>('POST', '/api/devices', {
    kind: 'display',
    name: 'Studio',
  })
  const board = await page.context().newPage()
  await board.addInitScript(addHearing)
  await board.addInitScript(() => {
    const pitches: number[] = []
    Object.assign(window, { pitches })
    const { start } = Object.getOwnPropertyDescriptors(AudioBufferSourceNode.prototype)
    AudioBufferSourceNode.prototype.start = function (at = 0) {
      const samples = this.buffer?.getChannelData(0) ?? new Float32Array()
      pitches.push((window as unknown as Hearing).pitchOf(samples, this.buffer?.sampleRate ?? 0))
      start.value?.call(this, at)
    }
  })
  await board.goto('/board')
  await board.getByLabel('Pairing code').fill(code)
  // The call is announced only if the board has its voices and its stream by then.
  const ready = ['/api/office/voice', '/api/visits/board', '/api/stream'].map((path) =>
    board.waitForResponse((answer) => new URL(answer.url()).pathname === path),
  )
  await board.getByRole('button', { name: 'Pair' }).click()
  await expect(board.getByRole('heading', { name: 'Now serving' })).toBeVisible()
  await Promise.all(ready)
  const [reception, pa, consultant] = await Promise.all([
    deskOfRole('reception'),
    deskOfRole('pa'),
    deskOfRole('consultant'),
  ])
  const visit = await reception.register({ name: 'Meera', language: 'mr' })
  await pa.approve(visit, consultant.userId)
  await consultant.act(visit, 'call', { counter: '7' })
  const pitches = () => board.evaluate(() => (window as unknown as { pitches: number[] }).pitches)
  await expect.poll(async () => (await pitches()).length).toBeGreaterThanOrEqual(4)
  // An announcement begins with the word for token and the number, in the visitor's language.
  for (const heard of (await pitches()).slice(0, 2)) {
    expect(heard).toBeGreaterThan(pitch - 25)
    expect(heard).toBeLessThan(pitch + 25)
  }
  await consultant.start(visit)
  await consultant.complete(visit)
  await asAdmin('PUT', `/api/devices/${device.id}`, { revoked: true })
  await board.close()
}
