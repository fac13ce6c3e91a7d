import type { Office } from '@/api/office'
import { serverNow } from '@/clock'
import { inBackground } from '@/in-background'
import { preferredLanguage } from '@/language'
import type { Language } from '@/locales/languages'
import { currentOf, type Call, type Serving } from './calls'
import { clockWords, type ClockWords } from './clock-words'
import { forget, keep, recall } from './kept'
import { follow } from './live'
import { pairingForm } from './pairing'
import { loadBoard, loadOffice, pair, Rejected, report } from './server'
import { ShownCalls } from './shown-calls'
import { knownOf, textsOf } from './texts'
import { BoardView } from './view'
import { dropOthers, listRecorded, type RecordedPack } from './voice/recorded'
import type { SpokenLanguages } from './voice/speaker'
import { isQuiet, Voice, type VoiceSettings } from './voice/voice'

type Device = { id: string; token: string }

/** After this long without a frame, the board shows that it is not live. */
const lostAfterMs = 20_000
const drawEveryMs = 1_000
const reportEveryMs = 30_000
const officeEveryMs = 300_000
/** Changes within this time are read with one request. */
const gatherMs = 250
/** A read that failed is repeated after this time, unless a change comes first. */
const againMs = 5_000
/** A call that is older than this when it arrives is shown without flash and voice. */
const freshForMs = 60_000
const unauthorized = 401
/** A new build is loaded after this long without a call. */
const idleAfterMs = 600_000
/** The number of languages in which a call is announced, unless the office sets another number. */
const usualLanguages = 2
const removedSearch = '?removed'

type BoardOffice = Pick<Office, 'brand' | 'area' | 'timeZone' | 'voice' | 'board' | 'checkIn'> & {
  languages: string[]
}

const noOffice: BoardOffice = {
  brand: 'Baari',
  area: '',
  timeZone: 'Asia/Kolkata',
  languages: ['en'],
}

const loud: VoiceSettings = { volume: 80, quietFrom: null, quietUntil: null }

export class Board {
  readonly #root: HTMLElement
  #device: Device | null = null
  /** The language in which the pairing form was last shown; undefined if it was never shown. */
  #code: Language | undefined
  #office = noOffice
  #languages: Language[] = ['en']
  #words: ClockWords = clockWords(noOffice.timeZone, 'en')
  #shown = new ShownCalls()
  /** The office's day of the calls on screen, as YYYY-MM-DD. */
  #day = ''
  #again: ReturnType<typeof setTimeout> | undefined
  #serving: readonly Serving[] = []
  #next: readonly string[] = []
  #aliveAt = Date.now()
  #gathering = false
  #settings = loud
  #view: BoardView | null = null
  #voice: Voice | null = null
  /** Whether the first answer has arrived. The calls in it are not announced. */
  #known = false

  constructor(root: HTMLElement) {
    this.#root = root
    this.#take((recall('office') as BoardOffice | null) ?? noOffice)
    inBackground(this.#readOffice())
  }

  askForCode() {
    this.#code = preferredLanguage(this.#languages) ?? this.#language()
    document.documentElement.lang = `${this.#code}-IN`
    const texts = textsOf(this.#code)
    const note = location.search === removedSearch ? texts.revoked : texts.pair.text
    const form = pairingForm(texts, note, async (code) => {
      const { device, token } = await pair(code)
      keep('device', { id: device.id, token })
      this.start({ id: device.id, token })
    })
    this.#root.replaceChildren(form)
  }

  start(device: Device) {
    this.#device = device
    document.documentElement.lang = `${this.#language()}-IN`
    this.#shown = new ShownCalls((recall('calls') as Call[] | null) ?? [])
    this.#settings = (recall('settings') as VoiceSettings | null) ?? loud
    this.#view = new BoardView(() => inBackground(this.#voice?.unblock()))
    this.#root.replaceChildren(this.#view.root)
    this.#voice = new Voice(device.token, {
      timeOfDay: () => this.#words.timeOfDay(serverNow()),
      now: serverNow,
      onState: () => {
        this.#draw()
        inBackground(this.#report())
      },
    })
    this.#voice.setRecorded((recall('voices') as RecordedPack[] | null) ?? [])
    this.#voice.setLanguages(this.#spoken())
    this.#voice.setSettings(this.#settings)
    follow(device, {
      onCall: (call) => this.#called(call),
      onChange: () => this.#readSoon(),
      onAlive: () => (this.#aliveAt = Date.now()),
      onConnected: () => this.#draw(),
      onRevoked: () => this.#revoked(),
    })
    this.#readSoon()
    inBackground(this.#report())
    inBackground(this.#readVoices())
    setInterval(() => this.#draw(), drawEveryMs)
    setInterval(() => inBackground(this.#report()), reportEveryMs)
    setInterval(() => inBackground(this.#readOffice()), officeEveryMs)
    setInterval(() => inBackground(this.#readVoices()), officeEveryMs)
    this.#draw()
  }

  /** Whether the page may be reloaded: no code is being typed, no call is recent or still to be announced. */
  isIdle(): boolean {
    if (!this.#device) return this.#root.querySelector('input')?.value === ''
    const [newest] = this.#shown.all
    return this.#voice?.waiting === 0 && (!newest || serverNow() - newest.at > idleAfterMs)
  }

  #language = (): Language => this.#languages[0] ?? 'en'

  #texts = () => textsOf(this.#language())

  #take(office: BoardOffice) {
    this.#office = office
    this.#languages = knownOf(office.languages)
    const language = this.#language()
    if (this.#device) document.documentElement.lang = `${language}-IN`
    document.title = office.brand
    this.#words = clockWords(office.timeZone, language)
    this.#voice?.setLanguages(this.#spoken())
  }

  #spoken(): SpokenLanguages {
    const { order = this.#languages, most = usualLanguages } = this.#office.voice ?? {}
    return { order: knownOf(order), most }
  }

  async #readOffice() {
    const read = await loadOffice().catch(() => this.#office)
    const { brand, area, timeZone, voice, board, checkIn, languages = ['en'] } = read
    const office: BoardOffice = {
      ...{ brand, area, timeZone, languages },
      ...(voice ? { voice } : {}),
      ...(board ? { board } : {}),
      ...(checkIn ? { checkIn } : {}),
    }
    if (JSON.stringify(office) === JSON.stringify(this.#office)) return
    keep('office', office)
    this.#take(office)
    if (this.#view) this.#draw()
    // The form is not drawn again in the same language, because a code may be half typed.
    else if ((preferredLanguage(this.#languages) ?? this.#language()) !== this.#code) this.askForCode()
  }

  async #readVoices() {
    if (!this.#device) return
    const packs = await listRecorded(this.#device.token).catch(() => null)
    if (!packs) return
    keep('voices', packs)
    this.#voice?.setRecorded(packs)
  }

  #readSoon() {
    if (this.#gathering) return
    this.#gathering = true
    setTimeout(() => {
      this.#gathering = false
      inBackground(this.#readBoard())
    }, gatherMs)
  }

  async #readBoard() {
    if (!this.#device) return
    clearTimeout(this.#again)
    const request = this.#shown.request()
    try {
      const { calls, serving, next } = await loadBoard(this.#device.token)
      const news = calls.filter((call) => !this.#shown.has(call))
      if (!this.#shown.answer(request, calls)) return
      this.#serving = serving
      this.#next = next
      this.#keepCalls()
      if (this.#known) news.reverse().forEach((call) => this.#announce(call))
      this.#known = true
      this.#draw()
    } catch (cause) {
      if (cause instanceof Rejected && cause.status === unauthorized) this.#revoked()
      else this.#again = setTimeout(() => this.#readSoon(), againMs)
    }
  }

  #called(call: Call) {
    if (!this.#shown.hear(call)) return
    this.#keepCalls()
    this.#announce(call)
    this.#draw()
  }

  #keepCalls() {
    keep('calls', this.#shown.all)
    this.#voice?.drop(this.#shown.isGone)
  }

  /** Removes the calls of the day before at midnight, even without the server. */
  #turnDay(now: number) {
    const day = this.#words.date(now)
    if (day === this.#day) return
    this.#day = day
    this.#shown.keepDay((at) => this.#words.date(at) === day)
    this.#keepCalls()
    this.#readSoon()
  }

  #announce(call: Call) {
    if (serverNow() - call.at > freshForMs) return
    if (call.callId === this.#shown.all[0]?.callId) this.#view?.flash()
    this.#voice?.say(call)
  }

  async #report() {
    if (!this.#device || !this.#voice) return
    try {
      const { volume, quietFrom, quietUntil } = await report(this.#device.token, {
        voice: this.#voice.state,
        queue: this.#voice.waiting,
      })
      this.#settings = { volume, quietFrom, quietUntil }
      keep('settings', this.#settings)
      this.#voice.setSettings(this.#settings)
    } catch (cause) {
      if (cause instanceof Rejected && cause.status === unauthorized) this.#revoked()
    }
  }

  /** The screen was removed: it shows nothing of the office any more. */
  #revoked() {
    if (!this.#device) return
    this.#device = null
    this.#root.replaceChildren()
    forget('device', 'calls', 'settings', 'voices')
    inBackground(dropOthers([]).finally(() => location.replace(`/board${removedSearch}`)))
  }

  #draw() {
    if (!this.#view || !this.#voice) return
    const [now, lost] = [serverNow(), Date.now() - this.#aliveAt > lostAfterMs]
    this.#turnDay(now)
    const calls = this.#shown.all
    const quiet = isQuiet(this.#settings, this.#words.timeOfDay(now))
    const current = currentOf(calls, now)
    const { board, checkIn } = this.#office
    this.#view.render({
      texts: this.#texts(),
      office: this.#office.brand,
      place: this.#office.area,
      clock: { time: this.#words.time(now), day: this.#words.day(now) },
      calls,
      current,
      calledAt: current ? this.#words.time(current.at) : '',
      serving: this.#serving,
      next: this.#next.slice(0, board?.next ?? 0),
      join: checkIn === 'confirm',
      notice: board?.notice ?? '',
      lostSince: lost ? this.#words.time(this.#aliveAt + now - Date.now()) : null,
      voice: this.#voice.state,
      quietUntil: quiet ? this.#settings.quietUntil : null,
    })
  }
}
