import { expect, test as base, type BrowserContext } from '@playwright/test'
import { listen } from './faults'

export { expect }

/**
 * Playwright's test, which also fails if any browser that it opens has a fault: a console error, an exception or a
 * failed request. A test that causes faults on purpose declares them with `provoke`.
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
