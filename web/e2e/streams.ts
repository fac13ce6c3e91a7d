import { get } from 'node:http'
import type { Role, Session } from './people'
import { publicOf } from './processes'

/** How many streams are opened at the same time. */
const atOnce = 50

/** Live streams that are opened at realtime directly and read without a page. */
export type Streams = { received: () => string; visits: () => number; close: () => void }

/**
 * Opens streams of one session and waits until each has received its first frame. `visits` counts the frames about
 * visits in all streams. `received` returns the frames of the first stream.
 */
export async function openStreams(role: Role, session: Session, count = 1): Promise<Streams> {
  let text = ''
  let visits = 0
  const closers: (() => void)[] = []
  for (let opened = 0; opened < count; opened += atOnce) {
    const some = Array.from({ length: Math.min(atOnce, count - opened) }, (_, index) =>
      openStream(role, session, (piece) => {
        visits += piece.split('"visitId":').length - 1
        if (opened + index === 0) text += piece
      }),
    )
    closers.push(...(await Promise.all(some)))
  }
  return { received: () => text, visits: () => visits, close: () => closers.forEach((close) => close()) }
}

/** Opens a stream. Resolves with a function that closes it. */
function openStream(role: Role, { token, userId }: Session, onText: (text: string) => void) {
  return new Promise<() => void>((resolve, reject) => {
    const address = `${publicOf('realtime')}/api/stream?${new URLSearchParams({ role, user_id: userId }).toString()}`
    const headers = { Accept: 'text/event-stream', Authorization: `Bearer ${token}` }
    const request = get(address, { agent: false, headers }, (answer) => {
      if (answer.statusCode !== 200) reject(new Error(`a stream is answered ${answer.statusCode}`))
      answer.setEncoding('utf8')
      answer.on('error', reject) // no effect after the stream was closed
      answer.on('data', onText)
      answer.once('data', () => resolve(() => request.destroy()))
    })
    request.on('error', reject)
  })
}
