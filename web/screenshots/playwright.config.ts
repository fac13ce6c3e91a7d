import { defineConfig } from '@playwright/test'
import journeys from '../playwright.config'

/** Takes pictures of every screen. These are not tests, and not part of a test run. */
export default defineConfig(journeys, {
  testDir: '.',
  testMatch: '*.pictures.ts',
  reporter: [['dot'], ['./contact-sheet.ts']],
  use: { trace: 'off' },
})
