import { test } from '@playwright/test'
import { languages as known, type Language } from '@/locales/languages'

/** A width of the window and a theme of the page. */
export type Look = { width: number; theme: 'light' | 'dark'; name: string }

const everyLook: Look[] = [1440, 390].flatMap((width) =>
  (['light', 'dark'] as const).map((theme) => ({ width, theme, name: `${width} px, ${theme}` })),
)

/** Whether this run is part of the nightly tests. Its part `screens` repeats tests in every look and language. */
export const isNight = process.env.BAARI_NIGHT === '1'

/**
 * Skips tests on a merge, in a file or in the test that calls it: those that take long by design, or measure what other
 * tests would disturb.
 */
export const onlyAtNight = () => test.skip(!isNight, 'baari verify --nightly screens')

/** The looks of a test: each width and each theme once on a merge, all four combinations at night. */
export const looks = isNight
  ? everyLook
  : everyLook.filter(({ width, theme }) => (width === 1440) === (theme === 'light'))

/** The themes in which a test of this width runs. */
export const themesAt = (width: number) =>
  looks.filter((look) => look.width === width).map(({ theme }) => theme)

/** The languages in which a test repeats itself; on a merge English, and the one with the longest words. */
export const languages: readonly Language[] = isNight ? (Object.keys(known) as Language[]) : ['en', 'ta']
