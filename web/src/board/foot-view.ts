import { el, setText, tokenElement } from './dom'
import { joinCode } from './join-code'
import type { Texts } from './texts'

export const mostNext = 4

type Foot = {
  texts: Texts
  notice: string
  /** The next tokens; none if the office does not want them shown. */
  next: readonly string[]
  /** Whether visitors may ask for a token with their phones. */
  join: boolean
}

/**
 * The foot of the board: the next tokens, the notice of the office, and the QR code of the page for asking for a token.
 */
export class FootView {
  readonly root = el('footer', 'board-foot')
  readonly #title = el('h2', 'next-title')
  readonly #chips = Array.from({ length: mostNext }, () => tokenElement('li', 'next-token'))
  readonly #next = el('section', 'board-next', this.#title, el('ul', 'next-tokens', ...this.#chips))
  readonly #notice = el('p', 'board-notice')
  readonly #ask = el('p', 'join-text')
  readonly #code = joinCode()

  constructor() {
    this.root.append(this.#next, el('div', 'board-words', this.#ask, this.#notice), this.#code)
  }

  render({ texts, notice, next, join }: Foot) {
    setText(this.#title, texts.next)
    this.#next.hidden = next.length === 0
    this.#chips.forEach((chip, index) => {
      chip.hidden = next[index] === undefined
      setText(chip, next[index] ?? '')
    })
    setText(this.#notice, notice)
    this.#code.classList.toggle('join-hidden', !join)
    setText(this.#ask, join ? texts.join : '')
    this.#code.setAttribute('aria-label', texts.join)
  }
}
