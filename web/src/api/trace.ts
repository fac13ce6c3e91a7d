import { report } from '@/telemetry/report'

/** Begins the trace of one request. The flag is 0: whether a trace is kept is the gateway's to say. */
export function beginTrace() {
  const bytes = crypto.getRandomValues(new Uint8Array(24))
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
  const trace = `00-${hex.slice(0, 32)}-${hex.slice(32)}`
  const begun = performance.now()
  return {
    traceparent: `${trace}-00`,
    /** Tells of the browser's part where a change was asked for and its trace is kept, which the answer says. */
    answered: ({ method }: Request, { headers }: Response) => {
      const kept = headers.get('traceresponse')
      if (method === 'GET' || !kept?.startsWith(trace.slice(0, 35)) || !kept.endsWith('-01')) return
      report.asked(Math.round(performance.now() - begun), `${trace}-01`)
    },
  }
}
