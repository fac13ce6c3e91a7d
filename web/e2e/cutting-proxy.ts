import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { baseURL } from './people'

/** A line to the application that a test cuts. */
export type Line = {
  /** The address behind which the application is. */
  url: string
  cut: () => void
  mend: () => void
  /** Loses the answers to the next calls of a path: the server has carried them out. */
  loseAnswers: (path: string, count: number) => void
  close: () => Promise<void>
}

/** Opens a line of its own. */
export async function openLine(): Promise<Line> {
  const target = new URL(baseURL())
  const lost = new Map<string, number>()
  let isCut = false
  const forward = (incoming: IncomingMessage, outgoing: ServerResponse) => {
    if (isCut) {
      incoming.socket.destroy()
      return
    }
    const path = incoming.url ?? '/'
    const upstream = request(
      { host: target.hostname, port: target.port, method: incoming.method, path, headers: incoming.headers },
      (answer) => {
        const left = lost.get(path) ?? 0
        if (isCut || left > 0) {
          lost.set(path, left - 1)
          answer.resume()
          incoming.socket.destroy()
          return
        }
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
        answer.pipe(outgoing)
      },
    )
    upstream.on('error', () => incoming.socket.destroy())
    incoming.pipe(upstream)
  }
  const server = createServer(forward)
  await new Promise<void>((listening) => server.listen(0, 'localhost', listening))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://localhost:${port}`,
    cut: () => {
      isCut = true
      server.closeAllConnections()
    },
    mend: () => {
      isCut = false
    },
    loseAnswers: (path, count) => void lost.set(path, count),
    close: () =>
      new Promise((closed) => {
        server.close(() => closed())
        server.closeAllConnections()
      }),
  }
}
