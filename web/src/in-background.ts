import { report } from '@/telemetry/report'

/** For work that no caller waits for. Its error is reported like an uncaught one. */
export function inBackground(work: unknown): void {
  Promise.resolve(work).catch((cause: unknown) => report.error(cause))
}
