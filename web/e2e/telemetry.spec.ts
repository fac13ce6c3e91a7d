import type { Page } from '@playwright/test'
import { welcome } from './desk'
import { arrive, hire, openSession } from './people'
import { adminOf } from './processes'
import { openStreams } from './streams'
import { expect, test } from './test'

/** Makes every load of the page report its measurements. Otherwise only a random sample of loads does so. */
const sampleAll = () => {
  Math.random = () => 0
}

function keepReports() {
  const reports: Blob[] = []
  Object.assign(globalThis, { reports })
  const send = navigator.sendBeacon.bind(navigator)
  navigator.sendBeacon = (url, body) => {
    if (body instanceof Blob) reports.push(body)
    return send(url, body)
  }
}

type Report = { items: { kind: string; traceparent?: string }[] }

/** The traces of the changes that the page has reported as shown on the screen. */
const shownTraces = async (page: Page) => {
  const reports = await page.evaluate(() =>
    Promise.all((globalThis as unknown as { reports: Blob[] }).reports.map((report) => report.text())),
  )
  const items = reports.flatMap((text) => (JSON.parse(text) as Report).items)
  return items.filter(({ kind }) => kind === 'shown').map(({ traceparent }) => traceparent)
}

/** Simulates that the tab is in the background for a moment, which makes the page send its reports. */
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

test('the browser reports the timings of its screens, and the trace of what it shows by its name', async ({
  browser,
}) => {
  const account = await hire('pa')
  const { context, page } = await arrive(browser, account)
  const stream = await openStreams('pa', await openSession(account))
  await page.addInitScript(sampleAll)
  await page.addInitScript(keepReports)
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

  // That the server makes a span of such a report is tested in tools/proof/verify/system/trace_test.go.
  const named = /: ?traceparent ([0-9a-f-]{55})\n(?:id: .*\n)?data: .*"type":"visit_created"/g
  const traces = [...stream.received().matchAll(named)].map((match) => match[1])
  expect(traces).not.toHaveLength(0)
  expect(await shownTraces(page)).toContain(traces.at(-1))
  stream.close()
  await context.close()
})
