import { report } from '@/telemetry/report'

/** For work that no caller waits for. Its error is reported, as an uncaught one is. */
export function inBackground(work: unknown): void {
  Promise.resolve(work).catch((cause: unknown) => report.error(cause))
}
