import { report } from '@/telemetry/report'

/** Starts the trace of a request. The sampled flag is 0: the gateway decides whether the trace is kept. */
export function beginTrace() {
  const bytes = crypto.getRandomValues(new Uint8Array(24))
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
  const trace = `00-${hex.slice(0, 32)}-${hex.slice(32)}`
  const begun = performance.now()
  return {
    traceparent: `${trace}-00`,
    /** Reports the time of a request other than GET, as a span, if `traceresponse` has the sampled flag. */
    answered: ({ method }: Request, { headers }: Response) => {
      const kept = headers.get('traceresponse')
      if (method === 'GET' || !kept?.startsWith(trace.slice(0, 35)) || !kept.endsWith('-01')) return
      report.asked(Math.round(performance.now() - begun), `${trace}-01`)
    },
  }
}
