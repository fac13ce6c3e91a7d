import { baPath, barPath, ticketPath } from '@/ui/mark-paths'
import { earlierOf, isPlace, type Call, type Serving } from './calls'
import { el, setText, shape, tokenElement } from './dom'
import { FootView } from './foot-view'
import { TicketView } from './ticket-view'
import { fill, type Texts } from './texts'

export type Model = {
  texts: Texts
  office: string
  place: string
  clock: { time: string; day: string }
  calls: readonly Call[]
  current: Call | null
  calledAt: string
  serving: readonly Serving[]
  /** The next tokens; none if the office does not want them shown. */
  next: readonly string[]
  /** Whether visitors may ask for a token with their phones. */
  join: boolean
  /** The office's own text; empty for the board's default text. */
  notice: string
  /** The time since which the board is not live; null while it is live. */
  lostSince: string | null
  voice: 'on' | 'blocked' | 'off'
  /** The end of the quiet hours; null outside them. */
  quietUntil: string | null
}

const earlierRows = 4
const servingRows = 4
/** The time for which a page of visitors in session is shown, if there are more visitors than rows. */
const pageMs = 8_000

/** The board's elements. They are created once and then only updated, so that memory does not grow over weeks. */
export class BoardView {
  readonly root = el('main', 'board')
  readonly #office = el('h1', 'board-office')
  readonly #place = el('span', 'board-place')
  readonly #time = el('time', 'board-time')
  readonly #day = el('span', 'board-day')
  readonly #ticket = new TicketView()
  readonly #earlier = new List('board-earlier', earlierRows)
  readonly #serving = new List('board-serving', servingRows)
  readonly #foot = new FootView()
  readonly #band = el('p', 'board-band')
  readonly #unblock = el('button', 'board-unblock')

  constructor(onUnblock: () => void) {
    this.#band.setAttribute('role', 'alert')
    this.#unblock.type = 'button'
    this.#unblock.addEventListener('click', onUnblock)
    this.root.append(
      el(
        'header',
        'board-head cloth',
        mark(),
        el('div', 'board-brand', this.#office, this.#place),
        el('div', 'board-clock', this.#day, this.#time),
      ),
      el('div', 'board-stage', el('div', 'call-slot'), this.#ticket.root),
      el('div', 'board-lists', this.#serving.root, this.#earlier.root),
      this.#foot.root,
      this.#band,
      this.#unblock,
    )
  }

  render(model: Model) {
    const { texts, calls, current, serving, lostSince, voice } = model
    setText(this.#office, model.office)
    setText(this.#place, model.place)
    setText(this.#time, model.clock.time)
    setText(this.#day, model.clock.day)
    // Without the server no visitor can ask for a token.
    const join = model.join && lostSince === null
    this.#ticket.render({ texts, call: current, time: model.calledAt, none: calls.length === 0, join })
    const earlier = earlierOf(calls, current, serving)
    this.#earlier.render(texts.before, earlier, texts)
    this.#serving.render(texts.serving, pageOf(serving), texts)
    this.root.classList.toggle('board-lost', lostSince !== null)
    this.#band.hidden = lostSince === null
    setText(this.#band, lostSince === null ? '' : fill(texts.notLive, { time: lostSince }))
    this.#unblock.hidden = voice !== 'blocked'
    this.root.classList.toggle('board-blocked', voice === 'blocked')
    setText(this.#unblock, texts.switchOn)
    // Without a current call, the blank ticket shows the QR code instead, in a larger size.
    this.#foot.render({ texts, notice: noticeOf(model), next: model.next, join: join && current !== null })
  }

  flash() {
    this.#ticket.flash()
  }
}

/** The product's sign: a ticket in the colour of paper. */
const mark = () =>
  shape(
    'svg',
    { class: 'board-mark', viewBox: '0 0 40 48', 'aria-hidden': 'true' },
    shape('path', { class: 'board-mark-paper', d: ticketPath }),
    shape('path', { class: 'board-mark-ink', d: barPath }),
    shape('path', { class: 'board-mark-ink', d: baPath }),
  )

function noticeOf({ texts, voice, quietUntil, notice }: Model): string {
  if (notice !== '') return notice
  if (quietUntil !== null) return `${texts.noticeSilent} ${fill(texts.quietNow, { time: quietUntil })}`
  return voice === 'off' ? texts.noticeSilent : texts.notice
}

function pageOf(serving: readonly Serving[]): readonly Serving[] {
  const pages = Math.ceil(serving.length / servingRows)
  if (pages <= 1) return serving
  const page = Math.floor(Date.now() / pageMs) % pages
  return serving.slice(page * servingRows, (page + 1) * servingRows)
}

function counterText(counter: string, texts: Texts): string {
  return counter === '' || isPlace(counter) ? counter : fill(texts.counter, { counter })
}

/** A list with a fixed number of rows, each a token and its counter. */
class List {
  readonly root: HTMLElement
  readonly #title = el('h2', 'board-title')
  readonly #rows: Record<'row' | 'token' | 'also' | 'counter', HTMLElement>[] = []

  constructor(className: string, count: number) {
    const list = el('ul', 'board-rows')
    for (let index = 0; index < count; index += 1) {
      const [token, also, counter] = [el('span', ''), el('small', ''), el('span', 'board-counter')]
      const tokens = tokenElement('span', 'board-token')
      tokens.append(token, also)
      const row = el('li', 'board-row', tokens, counter)
      this.#rows.push({ row, token, also, counter })
      list.append(row)
    }
    this.root = el('section', `board-list ${className}`, this.#title, list)
  }

  render(title: string, entries: readonly Serving[], texts: Texts) {
    setText(this.#title, title)
    this.root.classList.toggle('board-list-empty', entries.length === 0)
    this.#rows.forEach(({ row, token, also, counter }, index) => {
      const entry = entries[index]
      row.hidden = entry === undefined
      setText(token, entry?.token ?? '')
      setText(also, entry?.tokenAlso ?? '')
      setText(counter, counterText(entry?.counter ?? '', texts))
    })
  }
}
