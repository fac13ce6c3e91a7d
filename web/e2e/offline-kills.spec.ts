import { chromium, type BrowserContext, type Page } from '@playwright/test'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openProxy, type CutProxy } from './cut-proxy'
import { notePrints, numberOf, pair, register, sharedDesk, untilSent, visitsOf } from './offline'
import { hire, openSession, type Session } from './people'
import { expect, test } from './test'

// Kills a desk's browser at each point where its number, its visit and the server's answer could get out of step.

/** Rounds of three kills each. The nightly run makes a hundred kills. */
const rounds = Math.ceil(Number(process.env.BAARI_KILLS ?? 3) / 3)

/** The point at which the page stops until the browser is killed. */
type Place = 'stored' | 'answered' | undefined
const dyingPath = '/dying'

test(`a browser that is killed ${rounds * 3} times loses no visitor, and doubles none`, async () => {
  test.setTimeout(120_000 + rounds * 120_000)
  const desk = new KilledDesk(await openProxy(), await openSession(await hire('reception')))
  const name = `Kill ${Date.now() % 1_000_000}`
  const shown = await desk.pair()
  const names: string[] = []
  for (let round = 0; round < rounds; round++) {
    const visitor = `${name} ${round}`
    names.push(visitor)
    // The number is stored, and no screen has shown it.
    desk.proxy.cut()
    await desk.killedAt('stored', (page) => register(page, visitor))
    // The server has the visit, and the answer is lost with the browser.
    desk.proxy.mend()
    await desk.killedWhenCarriedOut('POST /api/visits/offline')
    // The answer has arrived, and the visit is still stored.
    await desk.killedAt('answered')
    // A request has at most twenty visits, so those of later rounds would never be sent.
    if (round % 10 === 9) await desk.sendAll()
  }
  await desk.sendAll()
  const sent = await visitsOf(name)
  expect(sent.map((visit) => visit.name)).toEqual(names)
  const numbers = sent.map(({ token }) => numberOf(token))
  expect(numbers).toEqual(numbers.map((_, index) => shown + 1 + index))
  await desk.close()
})

/** A desk whose browser is a process of its own, with a profile that survives it. */
class KilledDesk {
  readonly proxy: CutProxy
  readonly #session: Session
  readonly #profile = mkdtempSync(join(tmpdir(), 'baari-desk-'))
  #context: BrowserContext | undefined

  constructor(proxy: CutProxy, session: Session) {
    this.proxy = proxy
    this.#session = session
  }

  /** Pairs the desk. Returns the last number that was issued. */
  async pair(): Promise<number> {
    const page = await this.open()
    await expect(page.getByText('Connected', { exact: true })).toBeVisible()
    const paired = await sharedDesk()
    await pair(page, paired)
    await expect.poll(() => page.evaluate(lastNumber)).toBeGreaterThanOrEqual(0)
    const last = await page.evaluate(lastNumber)
    await this.#context?.close()
    return last
  }

  /** Opens reception in a new process. */
  async open(dyingAt?: Place): Promise<Page> {
    const context = await chromium.launchPersistentContext(this.#profile, {
      executablePath: process.env.BAARI_CHROMIUM ?? '/usr/bin/chromium',
      args: ['--no-sandbox'],
      baseURL: this.proxy.url,
      locale: 'en-IN',
      timezoneId: 'Asia/Kolkata',
      serviceWorkers: 'allow',
    })
    this.#context = context
    const { storageState } = this.#session
    // A cookie without a date ends with the process.
    if (typeof storageState === 'object') await context.addCookies(storageState.cookies)
    await context.clock.install()
    await context.addInitScript(notePrints)
    await context.addInitScript(stopAt, { place: dyingAt, path: dyingPath })
    const [page = await context.newPage()] = context.pages()
    await page.goto('/dashboard/receptionist')
    hurry(page).catch(() => undefined) // the browser is killed meanwhile
    return page
  }

  /** Opens the page until no visit is stored. */
  async sendAll() {
    const page = await this.open()
    await expect.poll(() => page.evaluate(unsentRows)).toBe(0)
    await untilSent(page)
    await this.#context?.close()
  }

  /** Opens the page, and kills the browser at the point where the page stops. */
  async killedAt(place: Place, act: (page: Page) => Promise<unknown> = () => Promise.resolve()) {
    const stopped = new Promise<void>((reached) => this.proxy.onCall(dyingPath, reached))
    const page = await this.open(place)
    const acted = act(page)
    // Before the page stops, a failure is a failure of the test. Afterwards the browser is gone.
    await Promise.race([stopped, acted.then(() => stopped)])
    await this.#kill()
    await acted.catch(() => undefined)
  }

  /** Opens the page, and kills the browser once the server has carried out a call. */
  async killedWhenCarriedOut(call: string) {
    const carriedOut = new Promise<void>((reached) =>
      this.proxy.onAnswer((of) => {
        if (of !== call) return false
        reached()
        return true
      }),
    )
    await this.open()
    await carriedOut
    await this.#kill()
    this.proxy.onAnswer(undefined)
  }

  async #kill() {
    const gone = new Promise((closed) => this.#context?.once('close', closed))
    // Only the processes of this browser use this profile.
    execFileSync('pkill', ['-KILL', '-f', `user-data-dir=${this.#profile}`])
    await gone
  }

  async close() {
    await this.#context?.close()
    await this.proxy.close()
    rmSync(this.#profile, { recursive: true, force: true })
  }
}

/** Makes the timers of a page run fast until it is closed: the desk probes the server every four seconds. */
async function hurry(page: Page) {
  while (!page.isClosed()) {
    await page.clock.fastForward(1_000).catch(() => undefined)
    await new Promise((later) => setTimeout(later, 100))
  }
}

/** The last number of today that the browser knows, -1 before the lease. */
const lastNumber = async () => {
  const database = await new Promise<IDBDatabase>((opened) => {
    const asked = indexedDB.open('baari-desk')
    asked.onsuccess = () => opened(asked.result)
  })
  const leases = await new Promise<{ last: number }[]>((read) => {
    const asked = database.transaction('lease').objectStore('lease').getAll()
    asked.onsuccess = () => read(asked.result as { last: number }[])
  })
  database.close()
  return leases[0]?.last ?? -1
}

/** The number of visits that the browser has not sent. The screen shows it only after the desk has started. */
const unsentRows = async () => {
  const database = await new Promise<IDBDatabase>((opened) => {
    const asked = indexedDB.open('baari-desk')
    asked.onsuccess = () => opened(asked.result)
  })
  const count = await new Promise<number>((read) => {
    const asked = database.transaction('outbox').objectStore('outbox').count()
    asked.onsuccess = () => read(asked.result)
  })
  database.close()
  return count
}

/** Stops the page until its process is killed: when a number is stored, or when an answer has arrived. */
function stopAt({ place, path }: { place: Place; path: string }) {
  const die = () => {
    const call = new XMLHttpRequest()
    call.open('GET', path, false)
    call.send()
  }
  if (place === 'stored') {
    type Open = (stores: string | string[], ...rest: unknown[]) => IDBTransaction
    const open = Reflect.get(IDBDatabase.prototype, 'transaction') as Open
    IDBDatabase.prototype.transaction = new Proxy(open, {
      apply: (target, database, [stores, ...rest]: Parameters<Open>) => {
        const opened = Reflect.apply(target, database, [stores, ...rest])
        if (Array.isArray(stores) && stores.includes('outbox')) opened.addEventListener('complete', die)
        return opened
      },
    })
  }
  if (place === 'answered') {
    const send = window.fetch.bind(window)
    window.fetch = async (input, init) => {
      const answer = await send(input, init)
      if (new URL(answer.url).pathname === '/api/visits/offline') die()
      return answer
    }
  }
}
