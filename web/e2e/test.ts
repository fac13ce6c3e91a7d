import { expect, test as base, type BrowserContext } from '@playwright/test'
import { listen } from './faults'

export { expect }

/**
 * A test that fails on any fault in a browser that it opens: a console error, an exception, a failed call. Faults that
 * a test causes on purpose are declared with `provoke`.
 */
export const test = base.extend<{ faultless: undefined }>({
  faultless: [
    async ({ browser }, use) => {
      const faultsOf: (() => string[])[] = []
      const open = (context: BrowserContext) => faultsOf.push(listen(context))
      browser.on('context', open)
      await use(undefined)
      browser.off('context', open)
      expect(
        faultsOf.flatMap((faults) => faults()),
        'faults in the browsers of this test',
      ).toEqual([])
    },
    { auto: true },
  ],
})
