import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { crcOf, oggOf } from './ogg'

type Page = { flags: number; granule: bigint; packets: number; crc: number; own: number }

/** The pages of an Ogg file, each with its checksum and the correct checksum. */
function pagesOf(file: Uint8Array): Page[] {
  const pages: Page[] = []
  for (let at = 0; at < file.length;) {
    const view = new DataView(file.buffer, file.byteOffset + at)
    expect(new TextDecoder().decode(file.subarray(at, at + 4))).toBe('OggS')
    const segments = file.subarray(at + 27, at + 27 + view.getUint8(26))
    const length = 27 + segments.length + segments.reduce((sum, size) => sum + size, 0)
    const page = file.slice(at, at + length)
    page.fill(0, 22, 26)
    pages.push({
      flags: view.getUint8(5),
      granule: view.getBigUint64(6, true),
      packets: segments.filter((size) => size < 255).length,
      crc: view.getUint32(22, true),
      own: crcOf(page),
    })
    at += length
  }
  return pages
}

test('the checksum is that of a file which opusenc has written', () => {
  const { clips } = JSON.parse(readFileSync('public/voice/en.json', 'utf8')) as {
    clips: Record<string, [number, number]>
  }
  const [from, length] = clips['42'] ?? [0, 0]
  const pages = pagesOf(new Uint8Array(readFileSync('public/voice/en.pack')).subarray(from, from + length))
  expect(pages.length).toBeGreaterThanOrEqual(3)
  for (const { crc, own } of pages) expect(own).toBe(crc)
})

test('a file has the head, the tags and all packets, and says where the sound ends', () => {
  // A packet of 255 bytes takes two segments, so these packets do not fit on one page.
  const packets = Array.from({ length: 200 }, (_, index) => new Uint8Array(index % 2 === 0 ? 255 : 40))
  const file = oggOf({ head: new Uint8Array(19), packets, frame: 960, samples: 191_000 })
  const pages = pagesOf(file)
  expect(pages.map(({ flags }) => flags)).toEqual([2, 0, 0, 4])
  expect(pages.reduce((sum, page) => sum + page.packets, 0)).toBe(202)
  expect(pages.at(-1)?.granule).toBe(191_000n)
  for (const { crc, own } of pages) expect(own).toBe(crc)
})
