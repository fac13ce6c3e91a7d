import { lazy, type FunctionComponent } from 'react'

const firstPause = 500
const longestPause = 8_000

/** A component in a chunk of its own, loaded when it is first rendered. */
export const chunk = <P>(load: () => Promise<FunctionComponent<P>>) =>
  lazy(async () => ({ default: await persistently(load) }))

/**
 * Loads something, and loads it again after each failure until the server answers. React keeps the failure of a lazy
 * component and removes the whole page, so a chunk that is asked for while the connection is lost must not fail.
 */
export async function persistently<T>(load: () => Promise<T>): Promise<T> {
  for (let pause = firstPause; ; pause = Math.min(2 * pause, longestPause)) {
    try {
      return await load()
    } catch {
      await new Promise((over) => setTimeout(over, pause))
    }
  }
}

/**
 * Removes each stylesheet that failed to load. Vite takes a stylesheet in the document for a loaded one, so a second
 * load of its chunk would succeed without styles.
 */
export function removeFailedStyles() {
  const remove = ({ target }: Event) => {
    if (target instanceof HTMLLinkElement && target.rel === 'stylesheet') target.remove()
  }
  document.addEventListener('error', remove, { capture: true }) // errors of elements do not bubble
}
