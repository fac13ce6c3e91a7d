import type { Page } from '@playwright/test'
import { drop } from '../scenes/scene'

/** Keeps toasts of the public page, and pending calls, while they are checked. */
export function stopClocks() {
  AbortSignal.timeout = () => new AbortController().signal
  const later = window.setTimeout.bind(window)
  const toasts = [2_000, 4_000]
  window.setTimeout = ((act: () => void, ms = 0, ...rest: []) =>
    toasts.includes(ms) ? 0 : later(act, ms, ...rest)) as typeof window.setTimeout
}

/** Keeps a toast open by moving the pointer onto it. The real pointer passes through toasts to the elements below. */
export async function holdToast(page: Page) {
  const toast = page.locator('.ant-message-notice').last()
  if (!(await toast.isVisible())) return
  // The toast may end just then. Whether that ends the state is checked afterwards.
  await toast.dispatchEvent('mouseover', undefined, { timeout: 1_000 }).catch(() => undefined)
}

export async function leave(page: Page) {
  await drop(page)
  await page.close()
}
