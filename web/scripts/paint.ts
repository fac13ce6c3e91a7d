// Opens the PA's dashboard in a browser, registers one visitor after the other, waits until the card is painted, and
// denies the visit, so that the list stays short. Writes for each change {"trace", "asked", "answered", "painted"}: the
// id of its trace, and the times of request, response and paint in milliseconds of the machine's clock. `baari bench
// paint` runs it.
import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'

import { chromium, request, type APIResponse } from '@playwright/test'

const warmUp = 20 // changes that are not reported
const betweenChanges = 150 // ms in which the page becomes idle
const paintWithin = 30_000 // ms

type Setting = 'BAARI_URL' | 'BAARI_CHROMIUM' | 'BAARI_ACCOUNTS' | 'BAARI_CHANGES'

function setting(name: Setting): string {
  const value = process.env[name]
  if (!value) throw new Error(`${name} is not set`)
  return value
}

type Account = { role: string; email: string; password: string }

type Painted = { visit: string; asked: number; answered: number; painted: number }

async function succeeded<T>(answer: APIResponse): Promise<T> {
  if (!answer.ok()) throw new Error(`${answer.url()} is answered ${answer.status()}`)
  return (await answer.json()) as T
}

/** Runs in the page: reports new cards after the frame that paints them. */
function watchCards() {
  const known = new Set<string>()
  const pending = () =>
    performance
      .getEntriesByType('resource')
      .filter(({ name }) => new URL(name).pathname.endsWith('/pending-approval'))
  const look = () => {
    for (const card of document.querySelectorAll('[data-visit]')) {
      const visit = card.getAttribute('data-visit')
      if (!visit || known.has(visit)) continue
      known.add(visit)
      const list = pending().at(-1)
      performance.clearResourceTimings() // the browser keeps 250
      if (!list) continue
      requestAnimationFrame(() =>
        setTimeout(() => {
          const [asked, answered, painted] = [list.startTime, list.responseEnd, performance.now()].map(
            (moment) => performance.timeOrigin + moment,
          )
          console.info(JSON.stringify({ visit, asked, answered, painted }))
        }),
      )
    }
  }
  new MutationObserver(look).observe(document, { childList: true, subtree: true })
}

const baseURL = setting('BAARI_URL')
const accounts = JSON.parse(await readFile(setting('BAARI_ACCOUNTS'), 'utf8')) as Account[]

async function signIn(role: string) {
  const account = accounts.find((one) => one.role === role)
  const client = await request.newContext({ baseURL, extraHTTPHeaders: { Origin: baseURL } })
  const data = { email: account?.email, password: account?.password }
  const { token } = await succeeded<{ token: string }>(await client.post('/api/auth/sign-in/email', { data }))
  return { client, headers: { Authorization: `Bearer ${token}` } }
}

const pa = await signIn('pa')
const reception = await signIn('reception')
const offered = await succeeded<{ services: { id: string }[] }>(
  await reception.client.get('/api/services', { headers: reception.headers }),
)
const visitor = { name: 'Asha Patil', phone: '9876543210', service_id: offered.services[0]?.id }

const browser = await chromium.launch({ executablePath: setting('BAARI_CHROMIUM'), args: ['--no-sandbox'] })
const context = await browser.newContext({ baseURL, storageState: await pa.client.storageState() })
const page = await context.newPage()
await page.addInitScript(watchCards)
const painted = new Map<string, Painted>()
page.on('console', (message) => {
  if (!message.text().startsWith('{"visit"')) return
  const report = JSON.parse(message.text()) as Painted
  painted.set(report.visit, report)
})
await page.goto('/dashboard/pa')
await page.getByText('Connected', { exact: true }).waitFor()

/** Registers a visitor in a sampled trace of a new id, and returns when the card is painted. */
async function change() {
  const trace = randomBytes(16).toString('hex')
  const traceparent = `00-${trace}-${randomBytes(8).toString('hex')}-01`
  const { visit } = await succeeded<{ visit: { id: string } }>(
    await reception.client.post('/api/visits', {
      data: visitor,
      headers: { ...reception.headers, traceparent },
    }),
  )
  const begun = Date.now()
  while (!painted.has(visit.id)) {
    if (Date.now() - begun > paintWithin) throw new Error('a card is not painted')
    await pause(5)
  }
  const denial = { data: { status: 'denied' }, headers: pa.headers }
  await succeeded(await pa.client.put(`/api/visits/${visit.id}/status`, denial))
  await pause(betweenChanges)
  return { trace, ...painted.get(visit.id) }
}

const reports = []
for (let n = -warmUp; n < Number(setting('BAARI_CHANGES')); n++) {
  const report = await change()
  if (n >= 0) reports.push(report)
}
process.stdout.write(JSON.stringify(reports))
await browser.close()
