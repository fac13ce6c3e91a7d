import type { Page } from '@playwright/test'
import { welcome } from './desk'
import { arrive, hire } from './people'
import { adminOf } from './processes'
import { expect, test } from './test'

/** Every page load is in the sample. */
const sampleAll = () => {
  Math.random = () => 0
}

/** Simulates a tab that is briefly in the background. */
const leave = (page: Page) =>
  page.evaluate(() => {
    Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true })
    document.dispatchEvent(new Event('visibilitychange'))
    Reflect.deleteProperty(document, 'visibilityState')
  })

async function figure(name: string) {
  const text = await (await fetch(`${adminOf('realtime')}/metrics`)).text()
  const lines = text.split('\n').filter((line) => line.startsWith(name))
  return lines.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' '))), 0)
}

test('the browser reports the timings of its screens and completes the trace of what it shows', async ({
  browser,
}) => {
  const { context, page } = await arrive(browser, await hire('pa'))
  await page.addInitScript(sampleAll)
  await page.reload()
  await expect(page.getByText('Connected', { exact: true })).toBeVisible()
  const before = {
    shown: await figure('baari_web_event_to_screen_seconds_count'),
    vitals: await figure('baari_web_vital_seconds_count'),
  }

  const [visit] = await welcome(1)
  await expect(page.getByRole('article', { name: new RegExp(`^${visit?.token} `) })).toBeVisible()
  await expect
    .poll(async () => {
      await leave(page)
      return {
        shown: (await figure('baari_web_event_to_screen_seconds_count')) > before.shown,
        vitals: (await figure('baari_web_vital_seconds_count')) > before.vitals,
      }
    })
    .toEqual({ shown: true, vitals: true })

  const traces = (await (await fetch(`${adminOf('realtime')}/traces`)).json()) as {
    spans: { name: string; trace_id: string }[]
  }
  const shown = traces.spans.filter(({ name }) => name === 'show /dashboard/pa').map((span) => span.trace_id)
  const sent = traces.spans.filter(({ name }) => name.startsWith('send ')).map((span) => span.trace_id)
  // The ring buffer keeps the newest spans only: the span of a frame painted long ago may be gone.
  expect(sent).toContain(shown.at(-1))
  await context.close()
})
