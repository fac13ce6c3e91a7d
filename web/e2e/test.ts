import { expect, test as base, type BrowserContext } from '@playwright/test'
import { listen } from './faults'

export { expect }

/**
 * A test of this fails on whatever goes wrong in any browser that it opens: an error on the console, an exception, a
 * failed call. What a test does wrong on purpose it says with `provoke`.
 */
export const test = base.extend<{ faultless: undefined }>({
  faultless: [
    async ({ browser }, use) => {
      const heard: (() => string[])[] = []
      const open = (context: BrowserContext) => heard.push(listen(context))
      browser.on('context', open)
      await use(undefined)
      browser.off('context', open)
      expect(
        heard.flatMap((faults) => faults()),
        'faults in the browsers of this test',
      ).toEqual([])
    },
    { auto: true },
  ],
})
