import { chromium, type BrowserContext, type Page } from '@playwright/test'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openProxy, type CutProxy } from './cut-proxy'
import { notePrints, numberOf, pair, register, sharedDesk, untilSent, visitsOf } from './offline'
import { hire, openSession, type Session } from './people'
import { expect, test } from './test'

// The test kills a desk's browser at each point where the desk's number, its visit and the server's answer could become
// inconsistent.

/** The number of rounds, with three kills each. The nightly part `offline` has 34 rounds. */
const rounds = Math.ceil(Number(process.env.BAARI_KILLS ?? 3) / 3)

/**
 * The point at which the page stops and waits until the browser is killed: when a number is stored, or when an answer
 * has arrived.
 */
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
    // The browser is killed when the number is stored, before a screen shows it.
    desk.proxy.cut()
    await desk.killedAt('stored', (page) => register(page, visitor))
    // The browser is killed when the server has the visit, before its answer arrives.
    desk.proxy.mend()
    await desk.killedWhenCarriedOut('POST /api/visits/offline')
    // The browser is killed when the answer has arrived, before the stored visit is removed.
    await desk.killedAt('answered')
    // A request sends at most twenty visits. Without sendAll, later rounds would repeat the first twenty.
    if (round % 10 === 9) await desk.sendAll()
  }
  await desk.sendAll()
  const sent = await visitsOf(name)
  expect(sent.map((visit) => visit.name)).toEqual(names)
  const numbers = sent.map(({ token }) => numberOf(token))
  expect(numbers).toEqual(numbers.map((_, index) => shown + 1 + index))
  await desk.close()
})

/** A desk whose browser runs in a process of its own. The browser's profile survives when the process is killed. */
class KilledDesk {
  readonly proxy: CutProxy
  readonly #session: Session
  readonly #profile = mkdtempSync(join(tmpdir(), 'baari-desk-'))
  #context: BrowserContext | undefined

  constructor(proxy: CutProxy, session: Session) {
    this.proxy = proxy
    this.#session = session
  }

  /** Pairs the desk. Returns the number of the last token that it has issued. */
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

  /** Opens reception's page in a new browser process. The page stops at the given point. */
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
    // A cookie without a date is lost when the process ends, so it is added again.
    if (typeof storageState === 'object') await context.addCookies(storageState.cookies)
    await context.clock.install()
    await context.addInitScript(notePrints)
    await context.addInitScript(stopAt, { place: dyingAt, path: dyingPath })
    const [page = await context.newPage()] = context.pages()
    await page.goto('/dashboard/receptionist')
    hurry(page).catch(() => undefined) // an error is ignored: the browser is killed while this runs
    return page
  }

  /** Opens the page, and waits until it has sent all stored visits. */
  async sendAll() {
    const page = await this.open()
    await expect.poll(() => page.evaluate(unsentRows)).toBe(0)
    await untilSent(page)
    await this.#context?.close()
  }

  /** Opens the page, performs `act`, and kills the browser at the point at which the page stops. */
  async killedAt(place: Place, act: (page: Page) => Promise<unknown> = () => Promise.resolve()) {
    const stopped = new Promise<void>((reached) => this.proxy.onCall(dyingPath, reached))
    const page = await this.open(place)
    const acted = act(page)
    // The test fails if `act` fails before the page stops. Later, `act` always fails: the browser is gone.
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
    // Only the processes of this browser have the profile's path in their command lines.
    execFileSync('pkill', ['-KILL', '-f', `user-data-dir=${this.#profile}`])
    await gone
  }

  async close() {
    await this.#context?.close()
    await this.proxy.close()
    rmSync(this.#profile, { recursive: true, force: true })
  }
}

/**
 * Makes the timers of a page run fast until the page is closed, because the desk probes the server only every four
 * seconds.
 */
async function hurry(page: Page) {
  while (!page.isClosed()) {
    await page.clock.fastForward(1_000).catch(() => undefined)
    await new Promise((later) => setTimeout(later, 100))
  }
}

/** The number of the last token of today that the browser knows, or -1 if the desk has no lease yet. */
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

/**
 * The number of visits that the browser has stored and not sent. The screen shows this number only after the desk has
 * started.
 */
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

/** Stops the page when a number is stored, or when an answer has arrived, until its process is killed. */
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
