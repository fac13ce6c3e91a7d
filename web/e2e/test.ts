import { expect, test as base, type BrowserContext } from '@playwright/test'
import { listen } from './faults'

export { expect }

/**
 * Playwright's test, which also fails if any browser that it opens has a fault: a console error, an exception or a
 * failed request. A test that causes faults on purpose declares them with `provoke`.
 */
export const test = base.extend<{ faultless: undefined }>({
  faultless: [
    async ({ browser }, use, info) => {
      const contexts = new Map<BrowserContext, () => string[]>()
      const open = (context: BrowserContext) => void contexts.set(context, listen(context))
      browser.on('context', open)
      await use(undefined)
      browser.off('context', open)
      expect(
        [...contexts.values()].flatMap((faults) => faults()),
        'faults in the browsers of this test',
      ).toEqual([])
      // Pages that stay open slow the next tests down. After a failure, the page is part of the report.
      if (info.status === info.expectedStatus)
        await Promise.all([...contexts.keys()].map((context) => context.close()))
    },
    { auto: true },
  ],
})
