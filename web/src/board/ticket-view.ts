import rosette from '@/assets/rosette.svg'
import { isPlace, type Call } from './calls'
import { el, setText } from './dom'
import type { Texts } from './texts'

function ornament(): HTMLElement {
  const image = el('img', 'call-rosette')
  image.src = rosette
  image.alt = ''
  return image
}

/** The call just made, as a large paper ticket; a blank one while there is none. */
export class TicketView {
  readonly root: HTMLElement
  readonly #kicker = el('span', 'call-kicker')
  readonly #token = el('strong', 'call-token')
  readonly #before = el('span', 'call-words')
  readonly #counter = el('b', 'call-counter')
  readonly #after = el('span', 'call-words')
  readonly #blank = el('p', 'call-waiting')

  constructor() {
    const face = el('div', 'call-face', ornament(), this.#kicker, this.#token)
    const foot = el('p', 'call-foot', this.#before, this.#counter, this.#after)
    this.root = el(
      'div',
      'call',
      el('article', 'call-paper', face, foot),
      el('div', 'call-blank', ornament(), this.#blank),
    )
    this.root.setAttribute('role', 'status')
  }

  render(texts: Texts, call: Call | null, none: boolean) {
    this.root.classList.toggle('call-none', call === null)
    setText(this.#blank, none ? texts.nobody : '')
    if (!call) {
      for (const node of [this.#kicker, this.#token, this.#before, this.#counter, this.#after])
        setText(node, '')
      return
    }
    const place = isPlace(call.counter ?? '')
    const sentence = call.counter === null ? texts.goDesk : place ? texts.goPlace : texts.goTo
    const [before = '', after = ''] = sentence.split('{counter}')
    setText(this.#kicker, call.callCount > 1 ? texts.again : texts.calling)
    setText(this.#token, call.token)
    setText(this.#before, before.trim())
    setText(this.#counter, call.counter ?? '')
    setText(this.#after, after.trim())
    this.root.classList.toggle('call-place', place)
  }

  flash() {
    this.root.classList.remove('call-fresh')
    // The animation starts anew once a frame was drawn without the class.
    requestAnimationFrame(() => requestAnimationFrame(() => this.root.classList.add('call-fresh')))
  }
}
