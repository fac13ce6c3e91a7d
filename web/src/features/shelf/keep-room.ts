/** The property of the root with the height of the shelf while it is shown; scroll regions are shorter by it. */
const property = '--dock'

/**
 * Keeps the regions short that are scrolled to their end when the shelf goes away: a longer one would scroll back under
 * the pointer. They get their height when they are scrolled up.
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
