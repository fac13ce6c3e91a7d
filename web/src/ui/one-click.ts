const acts = '.ant-btn, button[type="submit"]'

/**
 * Who clicks a button twice in a hurry means it once. The second click may also find another visitor's button in its
 * place, because the first one's card has gone. The browser counts the clicks of one place in `detail`; keys count
 * none.
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
