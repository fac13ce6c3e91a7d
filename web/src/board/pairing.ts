import { el, setText } from './dom'
import { Rejected } from './server'
import type { Texts } from './texts'

const codeLength = 12
const groups = /.{1,4}/g
const tooMany = 429

/** Formats the typed characters of a code in groups of four. */
function grouped(typed: string): string {
  const code = typed.toUpperCase().replace(/[^A-Z0-9]/g, '')
  return code.slice(0, codeLength).match(groups)?.join('-') ?? ''
}

/** Asks for the pairing code. The field adds the hyphens, because a remote control cannot type them. */
export function pairingForm(
  texts: Texts,
  note: string,
  onCode: (code: string) => Promise<void>,
): HTMLElement {
  const text = texts.pair
  const input = el('input', 'pair-code')
  input.autocomplete = 'off'
  input.spellcheck = false
  input.required = true
  input.placeholder = 'XXXX-XXXX-XXXX'
  input.setAttribute('aria-label', text.code)
  input.addEventListener('input', () => {
    // Writing the value while the cursor is within the text would move the cursor to the end.
    if (input.selectionEnd === input.value.length) input.value = grouped(input.value)
  })
  const problem = el('p', 'pair-problem')
  problem.setAttribute('role', 'alert')
  const button = el('button', 'pair-button', text.button)
  const form = el('form', 'pair-form', input, button, problem)
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    button.disabled = true
    setText(problem, '')
    onCode(input.value)
      .catch((cause: unknown) => setText(problem, problemOf(cause, text)))
      .finally(() => (button.disabled = false))
  })
  queueMicrotask(() => input.focus())
  return el('main', 'pair', el('h1', 'pair-title', text.title), el('p', 'pair-text', note), form)
}

function problemOf(cause: unknown, text: Texts['pair']): string {
  if (!(cause instanceof Rejected) || cause.status >= 500) return text.failed
  return cause.status === tooMany ? text.tooMany : text.wrong
}
