/** Writes Opus packets as an Ogg file (RFC 3533, RFC 7845), the format of the clips of a pack. */

const tableOfCrc = Uint32Array.from({ length: 256 }, (_, index) => {
  let value = index << 24
  for (let bit = 0; bit < 8; bit += 1) value = (value << 1) ^ (value < 0 ? 0x04c11db7 : 0)
  return value
})

/** The checksum of a page in which the field for the checksum is zero. */
export const crcOf = (page: Uint8Array) =>
  page.reduce((crc, byte) => (crc << 8) ^ (tableOfCrc[((crc >>> 24) ^ byte) & 0xff] ?? 0), 0) >>> 0

const first = 2
const last = 4
/** A page has at most 255 segments of 255 bytes. */
const mostSegments = 255
const headerLength = 27
const serial = 1

type Page = { packets: readonly Uint8Array[]; flags: number; granule: number; sequence: number }

const segmentsOf = ({ length }: Uint8Array) => [
  ...Array.from({ length: Math.floor(length / mostSegments) }, () => mostSegments),
  length % mostSegments,
]

function pageOf({ packets, flags, granule, sequence }: Page): Uint8Array {
  const segments = packets.flatMap(segmentsOf)
  const body = headerLength + segments.length
  const page = new Uint8Array(body + packets.reduce((sum, { length }) => sum + length, 0))
  const view = new DataView(page.buffer)
  page.set(new TextEncoder().encode('OggS'))
  page[5] = flags
  view.setBigUint64(6, BigInt(granule), true)
  view.setUint32(14, serial, true)
  view.setUint32(18, sequence, true)
  page[26] = segments.length
  page.set(segments, headerLength)
  let at = body
  for (const packet of packets) {
    page.set(packet, at)
    at += packet.length
  }
  view.setUint32(22, crcOf(page), true)
  return page
}

const tags = () => {
  const vendor = new TextEncoder().encode('Baari')
  const packet = new Uint8Array(8 + 4 + vendor.length + 4)
  packet.set(new TextEncoder().encode('OpusTags'))
  new DataView(packet.buffer).setUint32(8, vendor.length, true)
  packet.set(vendor, 12)
  return packet
}

/** Distributes the packets over pages, in order, so that no page has more than 255 segments. */
function pagesOf(packets: readonly Uint8Array[]): Uint8Array[][] {
  const pages: Uint8Array[][] = [[]]
  let room = mostSegments
  for (const packet of packets) {
    const { length } = segmentsOf(packet)
    if (length > room) {
      pages.push([])
      room = mostSegments
    }
    pages.at(-1)?.push(packet)
    room -= length
  }
  return pages
}

type Opus = {
  /** The identification header (RFC 7845). */
  head: Uint8Array
  packets: readonly Uint8Array[]
  /** The number of samples in each packet. */
  frame: number
  /** The number of samples of the clip, plus those that a decoder skips at the start. */
  samples: number
}

export function oggOf({ head, packets, frame, samples }: Opus): Uint8Array<ArrayBuffer> {
  const pages = [
    pageOf({ packets: [head], flags: first, granule: 0, sequence: 0 }),
    pageOf({ packets: [tags()], flags: 0, granule: 0, sequence: 1 }),
  ]
  const bodies = pagesOf(packets)
  let written = 0
  bodies.forEach((body, index) => {
    written += body.length * frame
    const end = index === bodies.length - 1
    const granule = end ? samples : written
    pages.push(pageOf({ packets: body, flags: end ? last : 0, granule, sequence: index + 2 }))
  })
  const file = new Uint8Array(pages.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const page of pages) {
    file.set(page, at)
    at += page.length
  }
  return file
}
