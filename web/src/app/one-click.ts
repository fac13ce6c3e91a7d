const acts = '.ant-btn, button[type="submit"]'

/**
 * Ignores the second click of a double click on a button. The first one may have removed a visitor's card, so that the
 * second would hit the next visitor's button. `detail` is the number of clicks at one place, and 0 for a key. Returns
 * the function that stops it.
 */
export function takeDoubleClicksAsOne(): () => void {
  const drop = (event: MouseEvent) => {
    if (event.detail < 2 || !(event.target instanceof Element) || !event.target.closest(acts)) return
    event.preventDefault()
    event.stopPropagation()
  }
  document.addEventListener('click', drop, true)
  return () => document.removeEventListener('click', drop, true)
}
