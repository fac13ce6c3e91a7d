import { useSyncExternalStore } from 'react'

const query = '(max-width: 900px)'

const subscribe = (changed: () => void) => {
  const media = matchMedia(query)
  media.addEventListener('change', changed)
  return () => media.removeEventListener('change', changed)
}

/** Whether the window is too narrow for tables, which are then drawn as entries. */
export const useIsPhone = () => useSyncExternalStore(subscribe, () => matchMedia(query).matches)
