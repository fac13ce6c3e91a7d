import { test } from '@playwright/test'
import { languages as known, type Language } from '@/locales/languages'

/** A look of a page: the width of the window and the theme. */
export type Look = { width: number; theme: 'light' | 'dark'; name: string }

const everyLook: Look[] = [1440, 390].flatMap((width) =>
  (['light', 'dark'] as const).map((theme) => ({ width, theme, name: `${width} px, ${theme}` })),
)

/** Whether this is a nightly run. It repeats tests in every look and every language. */
export const isNight = process.env.BAARI_NIGHT === '1'

/**
 * Skips the test that calls it, or all tests of the file, except in a nightly run. It is for tests that take long by
 * design, or measure what other tests would disturb.
 */
export const onlyAtNight = () => test.skip(!isNight, 'baari verify --nightly screens')

/** The looks in which tests run: on a merge each width and each theme once, at night all four combinations. */
export const looks = isNight
  ? everyLook
  : everyLook.filter(({ width, theme }) => (width === 1440) === (theme === 'light'))

export const themesAt = (width: number) =>
  looks.filter((look) => look.width === width).map(({ theme }) => theme)

/** The languages in which tests run: on a merge English and the language with the longest words, at night all. */
export const languages: readonly Language[] = isNight ? (Object.keys(known) as Language[]) : ['en', 'ta']
