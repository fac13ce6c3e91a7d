import { defineConfig } from '@playwright/test'

const baseURL = process.env.BAARI_URL
if (!baseURL)
  throw new Error(
    'BAARI_URL is not set: start the application with `go run ./tools/baari up` and name its address.',
  )

export default defineConfig({
  testDir: 'e2e',
  workers: 1,
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
    // Without the film of every page, which costs more than the pages themselves.
    trace: { mode: 'retain-on-failure', screenshots: false },
    launchOptions: {
      executablePath: process.env.BAARI_CHROMIUM ?? '/usr/bin/chromium',
      args: ['--no-sandbox'],
    },
  },
})
