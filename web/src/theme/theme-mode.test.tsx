import { act, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { keys } from '@/storage'
import { ThemeModeProvider, useThemeMode } from './theme-mode'

/** The operating system's preference, which can change while the page is open. */
const system = Object.assign(new EventTarget(), { matches: false })

function preferDark(dark: boolean) {
  system.matches = dark
  act(() => void system.dispatchEvent(new Event('change')))
}

beforeEach(() => {
  system.matches = false
  vi.stubGlobal('matchMedia', (query: string) => Object.assign(system, { media: query }))
})
afterEach(() => vi.unstubAllGlobals())

function Screen() {
  const { mode, toastMode, preference, choose } = useThemeMode()
  return (
    <>
      <output>{`${preference}: page ${mode}, toasts ${toastMode}`}</output>
      {(['light', 'dark', 'system'] as const).map((one) => (
        <button key={one} type="button" onClick={() => choose(one)}>
          {one}
        </button>
      ))}
    </>
  )
}

function open() {
  render(
    <ThemeModeProvider>
      <Screen />
    </ThemeModeProvider>,
  )
  const person = userEvent.setup({ delay: null })
  return { choose: (name: string) => person.click(screen.getByRole('button', { name })) }
}

const shown = () => screen.getByRole('status').textContent
const { documentElement: page } = document

// S4.theme.04-05
test('with nothing stored the page is light and the toasts follow the system', () => {
  open()
  expect(shown()).toBe('light: page light, toasts light')
  preferDark(true)
  expect(shown()).toBe('light: page light, toasts dark')
  expect(page).toHaveAttribute('data-theme', 'light')
})

// S3.storage.03, S4.theme.01-02
test('light and dark are shown as chosen, whatever the system prefers', async () => {
  const { choose } = open()
  await choose('dark')
  expect(shown()).toBe('dark: page dark, toasts dark')
  expect(page).toHaveAttribute('data-theme', 'dark')
  expect(page.style.colorScheme).toBe('dark')
  expect(localStorage.getItem('ui-theme')).toBe('dark')

  preferDark(true)
  await choose('light')
  expect(shown()).toBe('light: page light, toasts light')
  expect(page).toHaveAttribute('data-theme', 'light')
  expect(localStorage.getItem('ui-theme')).toBe('light')
})

// S4.theme.03
test('system follows the operating system, also while the page is open', async () => {
  const { choose } = open()
  await choose('system')
  expect(shown()).toBe('system: page light, toasts light')
  preferDark(true)
  expect(shown()).toBe('system: page dark, toasts dark')
  expect(page).toHaveAttribute('data-theme', 'dark')
  preferDark(false)
  expect(page).toHaveAttribute('data-theme', 'light')
})

test('the stored theme is restored, and an unknown value is ignored', () => {
  localStorage.setItem(keys.theme, 'dark')
  open()
  expect(shown()).toBe('dark: page dark, toasts dark')
  localStorage.setItem(keys.theme, 'sepia')
  document.body.replaceChildren()
  open()
  expect(shown()).toBe('light: page light, toasts light')
})

test('the page is printed in the light theme, and is dark again afterwards', async () => {
  const { choose } = open()
  await choose('dark')
  act(() => void dispatchEvent(new Event('beforeprint')))
  expect(page).toHaveAttribute('data-theme', 'light')
  act(() => void dispatchEvent(new Event('afterprint')))
  expect(page).toHaveAttribute('data-theme', 'dark')
  expect(localStorage.getItem(keys.theme)).toBe('dark')
})
