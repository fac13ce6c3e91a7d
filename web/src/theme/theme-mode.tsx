import {
  createContext,
  use,
  useEffect,
  useLayoutEffect,
  useMemo,
  useState,
  useSyncExternalStore,
  type ReactNode,
} from 'react'
import { flushSync } from 'react-dom'
import { keys, read, write } from '@/storage'
import type { Mode } from './palette'

export type ThemePreference = Mode | 'system'

type ThemeMode = {
  /** The user's preference; light while nothing is stored. */
  preference: ThemePreference
  /** The theme on the screen. */
  mode: Mode
  /** The theme of the toasts, which follow the operating system until a theme is chosen. */
  toastMode: Mode
  choose: (preference: ThemePreference) => void
}

const Context = createContext<ThemeMode | null>(null)
const darkQuery = '(prefers-color-scheme: dark)'

const subscribe = (changed: () => void) => {
  const query = matchMedia(darkQuery)
  query.addEventListener('change', changed)
  return () => query.removeEventListener('change', changed)
}

const stored = (): ThemePreference | null => {
  const value = read(keys.theme)
  return value === 'light' || value === 'dark' || value === 'system' ? value : null
}

const resolve = (preference: ThemePreference, system: Mode): Mode =>
  preference === 'system' ? system : preference

/** Keeps the user's preference in local storage, and the mode on the document element. */
export function ThemeModeProvider({ children }: { children: ReactNode }) {
  const [chosen, setChosen] = useState(stored)
  const system: Mode = useSyncExternalStore(subscribe, () => matchMedia(darkQuery).matches) ? 'dark' : 'light'
  // Paper is white.
  const printing = usePrinting()
  const mode = printing ? 'light' : resolve(chosen ?? 'light', system)

  useLayoutEffect(() => {
    document.documentElement.dataset.theme = mode
    document.documentElement.style.colorScheme = mode
  }, [mode])

  const value = useMemo<ThemeMode>(
    () => ({
      preference: chosen ?? 'light',
      mode,
      toastMode: resolve(chosen ?? 'system', system),
      choose: (preference) => {
        write(keys.theme, preference)
        setChosen(preference)
      },
    }),
    [chosen, mode, system],
  )
  return <Context value={value}>{children}</Context>
}

/** Whether the browser is printing. The change is rendered before the browser reads the styles of the printed page. */
function usePrinting(): boolean {
  const [printing, setPrinting] = useState(false)
  useEffect(() => {
    const change = ({ type }: Event) => flushSync(() => setPrinting(type === 'beforeprint'))
    addEventListener('beforeprint', change)
    addEventListener('afterprint', change)
    return () => {
      removeEventListener('beforeprint', change)
      removeEventListener('afterprint', change)
    }
  }, [])
  return printing
}

export function useThemeMode(): ThemeMode {
  const value = use(Context)
  if (!value) throw new Error('useThemeMode needs a ThemeModeProvider above it')
  return value
}
