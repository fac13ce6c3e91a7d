/** The root's CSS property for the height of the shown shelf. Scroll regions are shorter by this height. */
const property = '--dock'

/**
 * Called when the shelf goes away. A region that is scrolled to its end stays short, because its content would move
 * under the pointer if it grew. The region gets its full height when it is scrolled up.
 */
export function keepRoom() {
  const height = getComputedStyle(document.documentElement).getPropertyValue(property)
  for (const region of document.querySelectorAll<HTMLElement>('.scroll-region, .records')) {
    const hasRoom = () =>
      region.scrollHeight - region.clientHeight - region.scrollTop >= Number.parseFloat(height)
    if (region.scrollTop === 0 || hasRoom()) continue
    const release = () => {
      if (!hasRoom()) return
      region.style.removeProperty(property)
      region.removeEventListener('scroll', release)
    }
    region.style.setProperty(property, height)
    region.addEventListener('scroll', release, { passive: true })
  }
}
