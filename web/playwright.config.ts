import { defineConfig } from '@playwright/test'

/** Each worker has a system to itself; started by hand, the tests take the one of the environment. */
const systems = JSON.parse(process.env.BAARI_SYSTEMS ?? '[]') as Record<string, string>[]
Object.assign(process.env, systems[Number(process.env.TEST_PARALLEL_INDEX ?? 0)])

const baseURL = process.env.BAARI_URL
if (!baseURL)
  throw new Error(
    'BAARI_URL is not set: start the application with `go run ./tools/baari up` and name its address.',
  )

export default defineConfig({
  testDir: 'e2e',
  workers: Math.max(1, systems.length),
  timeout: 120_000,
  // A second chance keeps a busy machine from stopping a release; the run lists whoever needed it as flaky, and that is a bug.
  retries: 1,
  // Five browsers on two shared cores; what must be quick says so itself.
  expect: { timeout: 30_000 },
  reporter: [['list']],
  use: {
    baseURL,
    browserName: 'chromium',
    viewport: { width: 1440, height: 900 },
    locale: 'en-IN',
    timezoneId: 'Asia/Kolkata',
    // What failed is recorded the second time: a record of everything, and more so its film, costs more than the pages themselves.
    trace: { mode: 'on-first-retry', screenshots: false },
    launchOptions: {
      executablePath: process.env.BAARI_CHROMIUM ?? '/usr/bin/chromium',
      args: ['--no-sandbox'],
    },
  },
})
