import { defineConfig } from '@playwright/test'
import journeys from '../playwright.config'

/** Pictures of every screen; no tests, and no part of the tests' run. */
export default defineConfig(journeys, {
  testDir: '.',
  testMatch: '*.pictures.ts',
  reporter: [['dot'], ['./contact-sheet.ts']],
  use: { trace: 'off' },
})
