import { defineConfig } from '@playwright/test'

/** Each worker has an installation of its own. Without `baari test`, the environment names the only one. */
const systems = JSON.parse(process.env.BAARI_SYSTEMS ?? '[]') as Record<string, string>[]
Object.assign(process.env, systems[Number(process.env.TEST_PARALLEL_INDEX ?? 0)])

const baseURL = process.env.BAARI_URL
if (!baseURL)
  throw new Error(
    'BAARI_URL is not set: start the application with `go run ./tools/baari up` and name its address.',
  )

export default defineConfig({
  testDir: 'e2e',
  snapshotPathTemplate: '{testDir}/golden/{arg}{ext}',
  workers: Math.max(1, systems.length),
  timeout: 120_000,
  // A retry keeps a busy machine from blocking a release. Retried tests are listed as flaky, and each is a bug.
  retries: 1,
  // Five browsers on two shared cores; tests of speed assert their own limits.
  expect: { timeout: 30_000 },
  reporter: [
    ['list'],
    ...(process.env.BAARI_PICTURES ? [['./screenshots/language-sheets.ts'] as [string]] : []),
  ],
  use: {
    baseURL,
    browserName: 'chromium',
    viewport: { width: 1440, height: 900 },
    locale: 'en-IN',
    // A click during the animation of a dialog may be lost. Tests of motion and of frame times turn it on.
    contextOptions: { reducedMotion: 'reduce' },
    // Requests of a service worker cannot be replaced by a test.
    serviceWorkers: 'block',
    timezoneId: 'Asia/Kolkata',
    // Failures are recorded on the retry: recording everything, above all video, costs more than the pages themselves.
    trace: { mode: 'on-first-retry', screenshots: false },
    launchOptions: {
      executablePath: process.env.BAARI_CHROMIUM ?? '/usr/bin/chromium',
      args: ['--no-sandbox'],
    },
  },
})
