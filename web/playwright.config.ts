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
  // A test fails because of a wrong value, not because of a late one, so these times end only a wait for what never
  // happens. Assertions about time run at night.
  timeout: 600_000,
  retries: 0,
  expect: { timeout: 60_000 },
  reporter: [
    ['./e2e/shown-at-failure.ts'], // first, so that the errors are at the end of the log
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
    actionTimeout: 60_000,
    navigationTimeout: 60_000,
    // A trace of every test costs more than its pages: BAARI_TRACE=1 records them and keeps those of tests that failed.
    trace: process.env.BAARI_TRACE === '1' ? 'retain-on-failure' : 'off',
    launchOptions: {
      executablePath: process.env.BAARI_CHROMIUM ?? '/usr/bin/chromium',
      args: ['--no-sandbox'],
    },
  },
})
