import rosette from '@/assets/rosette.svg'
import { isPlace, type Call } from './calls'
import { el, setText, tokenElement } from './dom'
import { joinCode } from './join-code'
import type { Texts } from './texts'

function ornament(): HTMLElement {
  const image = el('img', 'call-rosette')
  image.src = rosette
  image.alt = ''
  return image
}

type Ticket = { texts: Texts; call: Call | null; time: string; none: boolean; join: boolean }

/** The call just made, as a large paper ticket; while there is no call, a blank ticket. */
export class TicketView {
  readonly root: HTMLElement
  readonly #kicker = el('span', 'call-kicker')
  readonly #token = tokenElement('strong', 'call-token')
  readonly #also = tokenElement('span', 'call-also')
  readonly #before = el('span', 'call-words')
  readonly #counter = el('b', 'call-counter')
  readonly #after = el('span', 'call-words')
  readonly #time = el('time', 'call-time')
  readonly #texts = [
    this.#time,
    this.#kicker,
    this.#token,
    this.#also,
    this.#before,
    this.#counter,
    this.#after,
  ]
  readonly #blank = el('p', 'call-waiting')
  readonly #code = joinCode()
  readonly #ask = el('p', 'call-ask')

  constructor() {
    const face = el('div', 'call-face', ornament(), this.#kicker, this.#token, this.#also)
    const foot = el('p', 'call-foot', this.#before, this.#counter, this.#after)
    this.root = el(
      'div',
      'call',
      el('article', 'call-paper', face, foot, this.#time),
      el('div', 'call-blank', ornament(), this.#blank, this.#code, this.#ask),
    )
    this.root.setAttribute('role', 'status')
  }

  /** `none`: the board has no call of today. `join`: visitors may ask for a token with their phones. */
  render({ texts, call, time, none, join }: Ticket) {
    this.root.classList.toggle('call-none', call === null)
    this.#renderBlank(texts, call === null && none, call === null && join)
    if (!call) {
      for (const node of this.#texts) setText(node, '')
      return
    }
    setText(this.#time, time)
    const place = isPlace(call.counter ?? '')
    const sentence = call.counter === null ? texts.goDesk : place ? texts.goPlace : texts.goTo
    const [before = '', after = ''] = sentence.split('{counter}')
    setText(this.#kicker, call.callCount > 1 ? texts.again : texts.calling)
    setText(this.#token, call.token)
    setText(this.#also, call.tokenAlso ?? '')
    setText(this.#before, before.trim())
    setText(this.#counter, call.counter ?? '')
    setText(this.#after, after.trim())
    this.root.classList.toggle('call-place', place)
  }

  #renderBlank(texts: Texts, none: boolean, join: boolean) {
    setText(this.#blank, none ? texts.noCall : '')
    this.#code.classList.toggle('join-hidden', !join)
    this.#code.setAttribute('aria-label', texts.join)
    setText(this.#ask, join ? texts.join : '')
  }

  flash() {
    this.root.classList.remove('call-fresh')
    // The class is removed for one drawn frame, so that its animation starts again.
    requestAnimationFrame(() => requestAnimationFrame(() => this.root.classList.add('call-fresh')))
  }
}
