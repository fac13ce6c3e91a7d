import { report } from '@/telemetry/report'

/** Runs work that no caller waits for, and reports its error like an uncaught error. */
export function inBackground(work: unknown): void {
  Promise.resolve(work).catch((cause: unknown) => report.error(cause))
}
