import './band.css'

/** Asks a question in a dialog, on any screen. Resolves with true for the answer `yes`. */
export function ask(question: string, yes: string, no: string): Promise<boolean> {
  const dialog = document.createElement('dialog')
  dialog.className = 'desk-dialog'
  const words = document.createElement('p')
  words.id = 'desk-question'
  words.textContent = question
  dialog.setAttribute('aria-labelledby', words.id)
  const actions = document.createElement('p')
  actions.className = 'desk-dialog-actions'
  for (const [name, value] of [
    [no, ''],
    [yes, 'yes'],
  ] as const) {
    const button = document.createElement('button')
    button.className = 'desk-button'
    button.textContent = name
    button.addEventListener('click', () => dialog.close(value))
    actions.append(button)
  }
  dialog.append(words, actions)
  document.body.append(dialog)
  dialog.showModal()
  return new Promise((answered) =>
    dialog.addEventListener('close', () => {
      dialog.remove()
      answered(dialog.returnValue === 'yes')
    }),
  )
}
