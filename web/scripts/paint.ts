// Opens the PA's dashboard in a browser and writes a line for each visit that is painted there: {"visit", "asked",
// "answered", "painted"}, the times of request, response and paint in milliseconds of the machine's
// clock. `baari bench paint` runs it; it ends when its input does.
import { chromium, request } from '@playwright/test'

type Setting = 'BAARI_URL' | 'BAARI_CHROMIUM' | 'BAARI_EMAIL' | 'BAARI_PASSWORD'

function setting(name: Setting): string {
  const value = process.env[name]
  if (!value) throw new Error(`${name} is not set`)
  return value
}

const writeLine = (line: object) => process.stdout.write(`${JSON.stringify(line)}\n`)

/** Runs in the page: reports new cards after the frame that paints them. */
function watchCards() {
  const known = new Set<string>()
  const pending = () =>
    performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('/pending-approval'))
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
const client = await request.newContext({ baseURL, extraHTTPHeaders: { Origin: baseURL } })
const answer = await client.post('/api/auth/sign-in/email', {
  data: { email: setting('BAARI_EMAIL'), password: setting('BAARI_PASSWORD') },
})
if (!answer.ok()) throw new Error(`sign-in is answered ${answer.status()}`)

const browser = await chromium.launch({ executablePath: setting('BAARI_CHROMIUM'), args: ['--no-sandbox'] })
const context = await browser.newContext({ baseURL, storageState: await client.storageState() })
const page = await context.newPage()
await page.addInitScript(watchCards)
page.on('console', (message) => {
  const text = message.text()
  if (text.startsWith('{"visit"')) process.stdout.write(`${text}\n`)
})
await page.goto('/dashboard/pa')
await page.getByText('Connected', { exact: true }).waitFor()
writeLine({ ready: true })

process.stdin.resume()
await new Promise((resolve) => process.stdin.once('end', resolve))
await browser.close()
await client.dispose()
