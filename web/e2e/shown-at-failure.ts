import type { Reporter, TestCase, TestResult } from '@playwright/test/reporter'
import { readFileSync } from 'node:fs'

/** How many of the last lines of a page are printed. A dialog is at the end of its page. */
const most = 40

/** Prints what the pages of failed tests showed, because CI keeps the log, but not the files beside it. */
export default class ShownAtFailure implements Reporter {
  readonly #shown: string[] = []

  onTestEnd({ title }: TestCase, { attachments }: TestResult) {
    const context = attachments.find(({ name }) => name === 'error-context')
    if (!context?.path) return
    const [, page = ''] = readFileSync(context.path, 'utf8')
      .split(/^```yaml$|^```$/m)
      .slice(2)
    this.#shown.push(`The page of "${title}" ends with:`, ...page.trimEnd().split('\n').slice(-most))
  }

  onEnd() {
    if (this.#shown.length > 0) console.log(this.#shown.join('\n'))
  }
}
