const acts = '.ant-btn, button[type="submit"]'

/**
 * Ignores the second click of a double click on a button. The first click may remove a visitor's card, and the second
 * would then hit the button of the next visitor. `detail` counts the clicks at one place, and is 0 for a key. Returns a
 * function that restores double clicks.
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
