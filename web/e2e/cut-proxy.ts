import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { baseURL } from './people'

/** A proxy that can cut connections and lose answers. It is in front of the application. */
export type CutProxy = {
  /** The address of the application through the proxy. */
  url: string
  cut: () => void
  /** Accepts calls but answers none, like a switch whose uplink is dead. */
  hang: () => void
  mend: () => void
  /** Loses the answers to the next `count` requests with this path, although the server has carried them out. */
  loseAnswers: (path: string, count: number) => void
  /** Sets a listener for calls that the server has carried out. If it returns true, the answer is lost. */
  onAnswer: (listener: ((call: string) => boolean) | undefined) => void
  /** Sets a listener for calls of a path that the application does not have. They get no answer. */
  onCall: (path: string, listener: () => void) => void
  /**
   * Simulates another build from now on: its files have other names, and the files of the first build no longer exist.
   */
  swapBuild: () => void
  close: () => Promise<void>
}

type State = {
  broken: 'cut' | 'hangs' | undefined
  swapped: boolean
  lost: Map<string, number>
  heard: Map<string, () => void>
  onAnswer: ((call: string) => boolean) | undefined
}

const isText = /html|javascript|css|json/

/** The folder of the other build's files. */
export const otherAssets = '/assets-next/'

/** A text of the application as it would be in the other build. */
const inOtherBuild = (text: string) =>
  text
    .replaceAll('assets/', 'assets-next/')
    .replaceAll(/"?revision"?:\s*"/g, '$&next-')
    .replace('<head>', '<head><meta name="build" content="next">')

export async function openProxy(): Promise<CutProxy> {
  const state: State = {
    broken: undefined,
    swapped: false,
    lost: new Map(),
    heard: new Map(),
    onAnswer: undefined,
  }
  const server = createServer((incoming, outgoing) => forward(state, incoming, outgoing))
  await new Promise<void>((listening) => server.listen(0, 'localhost', listening))
  const { port } = server.address() as AddressInfo
  const interrupt = (how: State['broken']) => {
    state.broken = how
    server.closeAllConnections()
  }
  return {
    url: `http://localhost:${port}`,
    cut: () => interrupt('cut'),
    hang: () => interrupt('hangs'),
    // Requests that have got no answer so far do not get one later either.
    mend: () => (state.broken === 'hangs' ? interrupt(undefined) : void (state.broken = undefined)),
    loseAnswers: (path, count) => void state.lost.set(path, count),
    onAnswer: (listener) => void (state.onAnswer = listener),
    onCall: (path, listener) => void state.heard.set(path, listener),
    swapBuild: () => void (state.swapped = true),
    close: () =>
      new Promise((closed) => {
        server.close(() => closed())
        server.closeAllConnections()
      }),
  }
}

function forward(state: State, incoming: IncomingMessage, outgoing: ServerResponse) {
  const path = incoming.url ?? '/'
  const heard = state.heard.get(path)
  if (heard) {
    heard()
    return
  }
  if (state.broken) {
    if (state.broken === 'cut') incoming.socket.destroy()
    return
  }
  if (state.swapped && path.startsWith('/assets/')) {
    outgoing.writeHead(404).end()
    return
  }
  const target = new URL(baseURL())
  // The application accepts only its own origin, so the proxy's origin is replaced by it.
  const headers = { ...incoming.headers, ...(incoming.headers.origin ? { origin: target.origin } : {}) }
  if (state.swapped) {
    delete headers['accept-encoding']
    delete headers['if-none-match']
  }
  const upstream = request(
    {
      host: target.hostname,
      port: target.port,
      method: incoming.method,
      path: state.swapped ? path.replace(otherAssets, '/assets/') : path,
      headers,
    },
    (answer) => {
      if (isLost(state, incoming)) {
        answer.resume()
        incoming.socket.destroy()
      } else if (state.swapped && isText.test(answer.headers['content-type'] ?? '')) {
        answerOtherBuild(answer, outgoing).catch(() => outgoing.destroy())
      } else {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
        answer.pipe(outgoing)
      }
    },
  )
  upstream.on('error', () => incoming.socket.destroy())
  incoming.pipe(upstream)
}

function isLost(state: State, { method, url = '/' }: IncomingMessage): boolean {
  if (state.broken || state.onAnswer?.(`${method} ${url}`)) return true
  const left = state.lost.get(url) ?? 0
  state.lost.set(url, left - 1)
  return left > 0
}

async function answerOtherBuild(answer: IncomingMessage, outgoing: ServerResponse) {
  const parts: Buffer[] = []
  for await (const part of answer) parts.push(part as Buffer)
  const headers = { ...answer.headers }
  delete headers['content-length']
  delete headers.etag
  if (headers.link) headers.link = inOtherBuild(String(headers.link))
  outgoing.writeHead(answer.statusCode ?? 502, headers)
  outgoing.end(inOtherBuild(Buffer.concat(parts).toString()))
}
