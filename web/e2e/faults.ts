import type { BrowserContext, Page } from '@playwright/test'

const allowed = new WeakMap<BrowserContext, RegExp[]>()

/**
 * Allows these faults on all pages of the page's context, before and after this call. A fault reads `503 GET
 * /api/services`, `failed GET /api/stream net::ERR_FAILED`, `console ...`, `exception ...` or `dialog ...`.
 */
export function provoke(page: Page, ...faults: RegExp[]) {
  const context = page.context()
  allowed.set(context, [...(allowed.get(context) ?? []), ...faults])
}

/**
 * Rejected requests of the consultant's screen about a session that was over before the screen showed the session.
 */
export const overBeforeShown = /^409 GET \/api\/visits\/[^/]+\/(draft|earlier)$/

/** Watches every page of a browser context. The returned function returns the faults that the test did not provoke. */
export function listen(context: BrowserContext): () => string[] {
  const faults: string[] = []
  const call = (request: { method: () => string; url: () => string }) =>
    `${request.method()} ${new URL(request.url()).pathname}`
  context.on('weberror', (error) => faults.push(`exception ${error.error().message}`))
  context.on('dialog', (dialog) => {
    faults.push(`dialog ${dialog.message()}`)
    // If the page asks whether the user wants to leave it, the answer is yes.
    const answered = dialog.type() === 'beforeunload' ? dialog.accept() : dialog.dismiss()
    answered.catch(() => faults.push('a dialog that could not be dismissed'))
  })
  context.on('console', (message) => {
    // A failed request is recorded by its response instead, because the response has the address.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      faults.push(`console ${message.text()}`)
  })
  context.on('response', (answer) => {
    // A busy service answers a read with 503 and Retry-After, and the page repeats the read.
    if (answer.status() === 503 && answer.request().method() === 'GET' && answer.headers()['retry-after'])
      return
    if (answer.status() >= 400) faults.push(`${answer.status()} ${call(answer.request())}`)
  })
  context.on('requestfailed', (request) => {
    const why = request.failure()?.errorText ?? ''
    // ERR_ABORTED means that the page itself aborted the request, as a closing tab does with its stream.
    if (why !== 'net::ERR_ABORTED') faults.push(`failed ${call(request)} ${why}`)
  })
  return () => faults.filter((fault) => !allowed.get(context)?.some((one) => one.test(fault)))
}
